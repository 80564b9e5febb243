import { isErasable } from '#console/lead/lead-actions.tsx'
import { LeadAnswers } from '#console/lead/lead-answers.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { LeadLink, LeadTimeLink, ShortReference } from '#console/shell/lead-link.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { describeSignal, type RelatedLeadCounts } from '#domain/abuse/signals.ts'
import { capitalize } from '#domain/text/capitalize.ts'
import type { LeadView } from '#server/leads/view-lead.ts'
import styles from './quarantine-page.module.css'

export interface QuarantinePageProps {
  /** The lead to review; undefined if no lead follows the cursor. */
  lead: QuarantinedLead | undefined
  /** The id of the lead that the operator just released. */
  released: string | undefined
  /** The number of leads in quarantine, as in `3 in quarantine`; empty if there are none. */
  waiting: string
  /** The cursor in the URL; empty for the first lead. */
  after: string
}

interface QuarantinedLead {
  readonly view: LeadView
  /** Counts of the person's other leads; undefined if the operator may not learn about them. */
  readonly others: RelatedLeadCounts | undefined
  /** The cursor of this lead, after which *Leave* continues. */
  readonly cursor: string
}

export function QuarantinePage(props: QuarantinePageProps) {
  const { lead, released, waiting, after } = props
  const mayDo = useMayDo()
  return (
    <ConsolePage
      name="Quarantine"
      actions={waiting !== '' && <p className={styles.left}>{waiting}</p>}
      isLive
    >
      <div id="decide" data-live-keep="">
        {released !== undefined && mayDo('release leads') && (
          <UndoRelease id={released} after={after} />
        )}
        {lead === undefined ? (
          <EmptyQuarantine isAtEnd={after !== ''} />
        ) : (
          <SuspectedLead suspect={lead} after={after} />
        )}
      </div>
    </ConsolePage>
  )
}

interface SuspectedLeadProps extends Pick<QuarantinePageProps, 'after'> {
  suspect: QuarantinedLead
}

function SuspectedLead({ suspect, after }: SuspectedLeadProps) {
  const { view } = suspect
  const { lead } = view.record
  return (
    <article className={styles.suspect} aria-labelledby="suspect">
      <h2 id="suspect" className={styles.which}>
        Received <LeadTimeLink id={lead.id} receivedAt={lead.receivedAt} />
      </h2>
      <p className={styles.reference}>
        {lead.area} · <ShortReference id={lead.id} />
      </p>
      <section className={styles.signs}>
        <h3>Signs of abuse</h3>
        <ul>
          {view.record.signals.map((signal) => (
            <li key={signal}>{capitalize(describeSignal(signal))}</li>
          ))}
        </ul>
        {suspect.others && <p>{describeOtherLeads(suspect.others)}</p>}
      </section>
      <DecisionForms suspect={suspect} after={after} />
      <section className={styles.person} aria-labelledby="answers">
        <h3 id="answers">Answers</h3>
        {view.isRevealed && (
          <p className={styles.revealed} data-revealed="">
            Personal data is shown only once; the audit log records the reveal.
          </p>
        )}
        <LeadAnswers lead={lead} />
      </section>
    </article>
  )
}

const describeOtherLeads = ({ delivered, quarantined, isAll }: RelatedLeadCounts): string =>
  `Other leads with the same email or phone: ${isAll ? '' : 'at least '}${delivered} accepted, ${quarantined} in quarantine.`

function DecisionForms({ suspect: { view, cursor }, after }: SuspectedLeadProps) {
  const { id } = view.record.lead
  const mayDo = useMayDo()
  const decisionForm = (button: string, variant?: 'primary') => (
    <ButtonForm
      action={`/quarantine/${button.toLowerCase()}`}
      button={button}
      name={`${button} this lead`}
      fields={{ id, after }}
      variant={variant}
    />
  )
  return (
    <div className={styles.decision}>
      {mayDo('release leads') && decisionForm('Release', 'primary')}
      <ButtonForm
        method="get"
        action="/quarantine"
        button="Leave"
        name="Leave this lead in quarantine"
        fields={{ after: cursor }}
      />
      {mayDo('reveal a lead') &&
        !view.isRevealed &&
        isErasable(view.record) &&
        decisionForm('Reveal')}
      {mayDo('erase leads') && (
        <ButtonForm
          method="get"
          action={`/leads/${id}/erase`}
          button="Erase"
          name="Erase this lead"
          fields={{ review: after }}
          variant="danger"
        />
      )}
    </div>
  )
}

/** Offers to undo a release as long as no worker has sent the lead. */
const UndoRelease = ({ id, after }: { id: string; after: string }) => {
  const form = { fields: { id, after } }
  return (
    <div className={styles.undo}>
      <ButtonForm {...form} action="/quarantine/undo" button="Undo" name={`Undo: ${id}`} />
      <ButtonForm
        {...form}
        action="/quarantine/postpone"
        button="Wait longer"
        name={`Wait longer: ${id}`}
      />
      <span>
        Released: <LeadLink id={id} />
      </span>
    </div>
  )
}

const EmptyQuarantine = ({ isAtEnd }: { isAtEnd: boolean }) => (
  <div className={styles.through}>
    <p className={styles.done}>
      {isAtEnd ? 'You’ve reviewed every lead.' : 'Nothing is in quarantine.'}
    </p>
    <p>
      {isAtEnd
        ? 'Leads that you skipped stay in quarantine.'
        : 'Enquiries that look like abuse wait here until an operator releases or erases them. No worker sends a waiting enquiry.'}
    </p>
    <a className={controls.button} href={isAtEnd ? '/quarantine' : '/leads'}>
      {isAtEnd ? 'Start over' : 'View all leads'}
    </a>
  </div>
)
