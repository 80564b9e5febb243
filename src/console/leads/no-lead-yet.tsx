import { LeadsCommand } from '../shell/leads-command.tsx'
/** Where visitors are; undefined where nobody knows it before it listens. */
export interface NoLeadYetProps {
  site: string | undefined
}

/** What will stand here, when, and how to see that it works. */
export const NoLeadYet = ({ site }: NoLeadYetProps) => (
  <>
    Each enquiry that a visitor sends stands here a second later. To see it work, send one yourself
    on {site === undefined ? 'the site' : <a href={site}>the site</a>}: it goes to the distributor
    like any other. To try the distributor alone, <LeadsCommand verb="send-test-lead" /> sends it
    one that is marked as a test and stored nowhere.
  </>
)
