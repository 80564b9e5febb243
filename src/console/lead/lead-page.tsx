import { Fragment } from 'react'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import type { Message } from '../shell/page-message.tsx'
import layout from '../shell/two-columns.module.css'
import { Consent } from './consent.tsx'
import { LeadActs } from './lead-acts.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { LeadLinks } from './lead-link.tsx'
import styles from './lead-page.module.css'
import { LeadStatusMark } from './lead-status-mark.tsx'
import { SentBody } from './sent-body.tsx'
import type { ShownLead, ShownRecord } from './shown-lead.ts'
import { Standing } from './standing.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { timelineOf } from './timeline/timeline-of.tsx'

export interface LeadPageProps {
  shell: Shell
  view: ShownLead
  /** As in {@link Standing}. */
  culprit: string | undefined
  /** What an act came to that led to here. */
  said?: Message | undefined
}

/** Why one lead stands where it stands. The page's name and address name nobody. */
export function LeadPage({ shell, view, culprit, said }: LeadPageProps) {
  const { record, isRevealed, sent, repeatedBy } = view
  const { lead } = record
  return (
    <ConsolePage
      shell={shell}
      name="Lead"
      message={said}
      actions={<LeadActs shell={shell} view={view} />}
      isLive
    >
      <p className={styles.reference}>
        <span>
          Received <Moment at={lead.receivedAt} />
        </span>{' '}
        <LeadStatusMark status={record.status} /> <code>{lead.id}</code>{' '}
        <a href="/leads">All leads</a>
      </p>
      {isRevealed && (
        <div data-revealed="">
          <Notice kind="note" heading="The person’s data are shown, and that is written down">
            <p>For this once: the next look at the lead is masked again.</p>
          </Notice>
        </div>
      )}
      <Standing view={view} culprit={culprit} />
      <div className={layout.columns}>
        <section aria-labelledby="happened">
          <h2 id="happened">What happened</h2>
          <Timeline events={timelineOf(view)} />
          {sent && (
            <SentBody
              id={lead.id}
              {...sent}
              isRevealed={isRevealed}
              wasTried={(record.delivery?.attempts.length ?? 0) > 0}
            />
          )}
        </section>
        <div>
          <section className={layout.card} aria-labelledby="enquiry">
            <h2 id="enquiry">The enquiry</h2>
            <LeadFacts lead={lead} />
          </section>
          <section className={layout.card} aria-labelledby="consent">
            <h2 id="consent">Consent, as it was shown</h2>
            <Consent consent={lead.consent} />
          </section>
          <Linked record={record} repeatedBy={repeatedBy} />
        </div>
      </div>
    </ConsolePage>
  )
}

/** The other leads that this one is bound to. */
function Linked({
  record: { duplicateOf, corrects, correctedBy },
  repeatedBy,
}: {
  record: ShownRecord
  repeatedBy: readonly string[]
}) {
  const bonds = [
    ['Repeats', duplicateOf === null ? [] : [duplicateOf]],
    ['Is repeated by', repeatedBy],
    ['Corrects', corrects === null ? [] : [corrects]],
    ['Is corrected by', correctedBy],
  ] as const
  const found = bonds.filter(([, ids]) => ids.length > 0)
  if (found.length === 0) return null
  return (
    <section className={layout.card} aria-labelledby="linked">
      <h2 id="linked">Linked leads</h2>
      <dl>
        {found.map(([bond, ids]) => (
          <Fragment key={bond}>
            <dt>{bond}</dt>
            <dd>
              <LeadLinks ids={ids} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
