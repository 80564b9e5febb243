import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { isErasable, makeLeadPath } from '#console/lead/lead-actions.tsx'
import { LeadAnswers } from '#console/lead/lead-answers.tsx'
import { formatCursor, parseCursor } from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { LeadLink, LeadReference, LeadTimeLink } from '#console/shell/lead-link.tsx'
import { Callout } from '#console/shell/message.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { describeSignal, type RelatedLeadCounts } from '#domain/abuse/signals.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { type Message, makeProblemMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { capitalize } from '#domain/text/formats.ts'
import { makeReleaseMessage } from '#server/delivery/action-messages.ts'
import { releaseUndoWindowMs } from '#server/leads/release-leads.ts'
import type { QuarantineReview } from '#server/leads/review-quarantine.ts'
import styles from './quarantine-page.module.css'

const path = '/quarantine'

/**
 * Routes that show one quarantined lead at a time and let the operator release, reveal or skip it. Only the reply to
 * `reveal` shows personal data.
 */
export function quarantineRoutes(services: ConsoleServices) {
  const { flash, quarantineReviewer, leadActions } = services
  const show = (c: ConsoleContext, review: QuarantineReview, after: string, problem?: Message) => {
    const { released = '' } = c.req.query()
    const page = <QuarantinePage review={review} released={released} after={after} />
    return c.render(page, problem, problem && 400)
  }

  return new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const { after = '' } = c.req.query()
      const cursor = parseCursor(after)
      const isInvalid = after !== '' && cursor === undefined
      const review = await quarantineReviewer.showNext(c.get('actor'), cursor)
      return isInvalid ? show(c, review, '', invalidCursorMessage) : show(c, review, after)
    })
    .post(`${path}/release`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const options = { waitMs: releaseUndoWindowMs }
      const outcome = await leadActions.release(c.get('actor'), id, options)
      if (outcome.kind === 'asked not to be contacted') {
        const query = new URLSearchParams({ review: after })
        return c.redirect(`${makeLeadPath(id)}/release?${query}`, 303)
      }
      return outcome.kind === 'due'
        ? flash.redirect(c, makeReviewUrl(after, id), releasedMessage)
        : flash.redirect(c, makeReviewUrl(after), makeReleaseMessage(outcome))
    })
    .post(`${path}/undo`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const isUndone = await leadActions.undoRelease(c.get('actor'), id)
      return flash.redirect(c, makeReviewUrl(after), isUndone ? undoneMessage : tooLateMessage)
    })
    .post(`${path}/reveal`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const review = await quarantineReviewer.reveal(c.get('actor'), id)
      return review === undefined
        ? flash.redirect(c, makeReviewUrl(after), notQuarantinedMessage)
        : show(c, review, after)
    })
}

export const releasedMessage = makeSuccessMessage(
  'A worker sends the lead in two minutes',
  'Until then, you can undo the release.',
)
const undoneMessage = makeSuccessMessage('Release undone: the lead stays in quarantine')
const tooLateMessage = makeProblemMessage(
  'Too late: the lead was sent, or its release was undone. Nothing was changed',
)
const invalidCursorMessage = makeProblemMessage(
  'The URL isn’t valid. The page shows the oldest lead',
)
const notQuarantinedMessage = makeProblemMessage('This lead is no longer in quarantine')

/**
 * @param after the cursor in the URL; an invalid cursor starts the review at the first lead
 * @param released the id of a lead whose release can be undone
 */
export function makeReviewUrl(after: string, released?: string): string {
  const query = new URLSearchParams({
    ...(parseCursor(after) === undefined ? {} : { after }),
    ...(released === undefined ? {} : { released }),
  })
  return query.size === 0 ? path : `${path}?${query}`
}

interface QuarantinePageProps {
  review: QuarantineReview
  /** The id of the lead that the operator just released; empty if there is none. */
  released: string
  /** The cursor in the URL; empty for the first lead. */
  after: string
}

function QuarantinePage({ review: { lead, waiting }, released, after }: QuarantinePageProps) {
  const mayDo = useMayDo()
  return (
    <ConsolePage
      name="Quarantine"
      actions={
        waiting.count > 0 && (
          <p className={styles.left}>
            {waiting.isAll ? '' : 'More than '}
            {waiting.count.toLocaleString('en-US')} in quarantine
          </p>
        )
      }
      isLive
    >
      <div id="decide" data-live-keep="">
        {isLeadId(released) && mayDo('release leads') && (
          <UndoRelease id={released} after={after} />
        )}
        {lead === undefined ? (
          <EmptyQuarantine isAtEnd={after !== ''} />
        ) : (
          <SuspectedLead {...lead} after={after} />
        )}
      </div>
    </ConsolePage>
  )
}

type SuspectedLeadProps = NonNullable<QuarantineReview['lead']> & { after: string }

function SuspectedLead({ view, others, after }: SuspectedLeadProps) {
  const { lead } = view.record
  return (
    <article className={styles.suspect} aria-labelledby="suspect">
      <h2 id="suspect" className={styles.which}>
        Received <LeadTimeLink id={lead.id} receivedAt={lead.receivedAt} />
      </h2>
      <p className={styles.reference}>
        {lead.area} · <LeadReference id={lead.id} />
      </p>
      {view.listedAt !== undefined && (
        <Callout kind="problem" heading="Asked not to be contacted">
          <p>
            The person is on the list <a href="/do-not-contact">Do not contact</a> since{' '}
            <Timestamp at={view.listedAt} />. <em>Release</em> asks you first.
          </p>
        </Callout>
      )}
      <section className={styles.signs}>
        <h3>Why it waits</h3>
        <ul>
          {view.record.signals.map((signal) => (
            <li key={signal}>{capitalize(describeSignal(signal))}</li>
          ))}
        </ul>
        {others && <p>{describeOtherLeads(others)}</p>}
      </section>
      <DecisionForms view={view} after={after} />
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

function DecisionForms({ view, after }: Pick<SuspectedLeadProps, 'view' | 'after'>) {
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
        fields={{ after: formatCursor(view.record.lead) }}
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
const UndoRelease = ({ id, after }: { id: string; after: string }) => (
  <div className={styles.undo}>
    <ButtonForm
      action="/quarantine/undo"
      button="Undo"
      name={`Undo: ${id}`}
      fields={{ id, after }}
    />
    <span>
      Released: <LeadLink id={id} />
    </span>
  </div>
)

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
