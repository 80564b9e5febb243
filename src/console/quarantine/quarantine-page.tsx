import { LeadFacts } from '../lead/lead-facts.tsx'
import { LeadName, Reference } from '../lead/lead-name.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import type { Message } from '../shell/message.tsx'
import { Decision } from './decision.tsx'
import { HeldReleases, type ShownHeld } from './held-releases.tsx'
import styles from './quarantine-page.module.css'
import type { ShownSuspect } from './shown-suspect.ts'

export interface QuarantinePageProps {
  shell: Shell
  /** Undefined if none follows the requested place. */
  lead: ShownSuspect | undefined
  held: readonly ShownHeld[]
  /** In words; empty where nothing is left. */
  left: string
  /** The number of leads left and still waiting, in words. */
  leftBehind: string | undefined
  /** The place to start from, as in the address; empty for the first. */
  after: string
  said?: Message | undefined
}

/** Suspicious leads, one at a time, with what is needed to decide and nothing else. */
export function QuarantinePage(props: QuarantinePageProps) {
  const { shell, lead, held, left, leftBehind, after, said } = props
  return (
    <ConsolePage
      shell={shell}
      name="Quarantine"
      message={said}
      actions={left !== '' && <p className={styles.left}>{left}</p>}
      isLive
    >
      <div id="decide" data-live-keep="">
        <HeldReleases shell={shell} held={held} after={after} />
        {lead === undefined ? (
          <Through leftBehind={leftBehind} />
        ) : (
          <Suspect shell={shell} suspect={lead} after={after} />
        )}
      </div>
    </ConsolePage>
  )
}

interface SuspectProps {
  shell: Shell
  suspect: ShownSuspect
  after: string
}

function Suspect({ shell, suspect, after }: SuspectProps) {
  const { view } = suspect
  const { lead } = view.record
  return (
    <article className={styles.suspect} aria-labelledby="suspect">
      <h2 id="suspect" className={styles.which}>
        Received <LeadName id={lead.id} receivedAt={lead.receivedAt} />
      </h2>
      <p className={styles.reference}>
        {lead.area} · <Reference id={lead.id} />
      </p>
      <div className={styles.scales}>
        <Grounds heading="Signs of abuse" kind="against" grounds={suspect.against} />
        <Grounds heading="Signs of a real person" kind="for" grounds={suspect.for} />
      </div>
      <Decision shell={shell} suspect={suspect} after={after} />
      <section className={styles.person} aria-labelledby="said">
        <h3 id="said">Answers</h3>
        {view.isRevealed && (
          <p className={styles.revealed} data-revealed="">
            Personal data is shown this once; the audit log records it.
          </p>
        )}
        <LeadFacts lead={lead} />
      </section>
    </article>
  )
}

interface GroundsProps {
  heading: string
  kind: 'against' | 'for'
  grounds: readonly string[]
}

const Grounds = ({ heading, kind, grounds }: GroundsProps) => (
  <section className={styles[kind]}>
    <h3>{heading}</h3>
    {grounds.length === 0 ? (
      <p>None found.</p>
    ) : (
      <ul>
        {grounds.map((ground) => (
          <li key={ground}>{ground}</li>
        ))}
      </ul>
    )}
  </section>
)

const Through = ({ leftBehind }: { leftBehind: string | undefined }) => (
  <div className={styles.through}>
    {leftBehind === undefined ? (
      <>
        <p className={styles.done}>Nothing is in quarantine.</p>
        <p>
          Enquiries that look like abuse wait here until an operator releases or erases them; none
          is delivered before that. There is nothing to do now.
        </p>
      </>
    ) : (
      <>
        <p className={styles.done}>You’ve reviewed every lead.</p>
        <p>{leftBehind}</p>
        <a className={controls.button} href="/quarantine">
          Start over
        </a>
      </>
    )}
  </div>
)
