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
  /** Undefined where there is none after the place that was asked for. */
  lead: ShownSuspect | undefined
  held: readonly ShownHeld[]
  /** In words; empty where nothing is left. */
  left: string
  /** Those that were left, and wait still; in words. */
  leftBehind: string | undefined
  /** From where one goes through them, as in the address; empty from the first. */
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
        <Grounds heading="Speaks against it" kind="against" grounds={suspect.against} />
        <Grounds heading="Speaks for it" kind="for" grounds={suspect.for} />
      </div>
      <Decision shell={shell} suspect={suspect} after={after} />
      <section className={styles.person} aria-labelledby="said">
        <h3 id="said">What it says</h3>
        {view.isRevealed && (
          <p className={styles.revealed} data-revealed="">
            The person’s data are shown for this once, and that is written down.
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
      <p>Nothing that is known.</p>
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
          An enquiry that looks like abuse comes here at once and waits until an operator has looked
          at it: until then nothing of it is delivered. There is nothing to do now; the overview
          counts those that wait.
        </p>
      </>
    ) : (
      <>
        <p className={styles.done}>You have gone through all.</p>
        <p>{leftBehind}</p>
        <a className={controls.button} href="/quarantine">
          Begin again
        </a>
      </>
    )}
  </div>
)
