import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type DescriptionItem, DescriptionList } from '#console/shell/description-list.tsx'
import { LeadLinks, LeadReference } from '#console/shell/lead-link.tsx'
import { Callout } from '#console/shell/message.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import layout from '#console/shell/two-columns.module.css'
import { hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import { maskName } from '#domain/lead/mask-lead.ts'
import { describeCallResult, describeNotification } from '#domain/notifications/notification.ts'
import { type FlashMessage, makeNoteMessage } from '#domain/operator/messages.ts'
import { makeRetryMessage } from '#server/delivery/action-messages.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import type { LeadView, VisibleLeadDetails } from '#server/leads/view-lead.ts'
import { eraseRoutes, releaseRoutes, settleRoutes } from './erase-page.tsx'
import { LeadActions, makeLeadPath, showUnknownLead } from './lead-actions.tsx'
import { ConsentProof, LeadAnswers, TechnicalDetails } from './lead-answers.tsx'
import styles from './lead-page.module.css'
import { LeadStatusCallout } from './lead-status-callout.tsx'
import { Timeline } from './timeline.tsx'

/** Routes for one lead. Only the reply to `reveal` shows personal data, so a reload masks the data again. */
export function leadRoutes(services: ConsoleServices) {
  const { store, flash, viewLead, leadActions } = services
  const show = async (c: ConsoleContext, found: LeadView | undefined, message?: FlashMessage) => {
    if (found === undefined) return showUnknownLead(c)
    const breaker = await namePauser(store.audit, c.get('actor'), found.breaker)
    const view = { ...found, breaker }
    const cause = describeFailureCause(view.record, view.breaker, () => '')
    return c.render(<LeadPage view={view} cause={cause} />, message)
  }
  const showResult = <Outcome extends { readonly kind: string }>(
    c: ConsoleContext,
    id: string,
    outcome: Outcome,
    makeMessage: (outcome: Outcome) => FlashMessage,
  ) =>
    outcome.kind === 'unknown'
      ? showUnknownLead(c)
      : flash.redirect(c, makeLeadPath(id), makeMessage(outcome))

  return new Hono<ConsoleEnv>()
    .get('/leads/:id', async (c) =>
      show(c, await viewLead.masked(c.get('actor'), c.req.param('id'))),
    )
    .post('/leads/:id/reveal', async (c) =>
      show(c, await viewLead.revealed(c.get('actor'), c.req.param('id')), revealedMessage),
    )
    .get('/leads/:id/reveal', (c) => c.redirect(makeLeadPath(c.req.param('id')), 303))
    .post('/leads/:id/retry', async (c) => {
      const id = c.req.param('id')
      return showResult(c, id, await leadActions.retry(c.get('actor'), id), makeRetryMessage)
    })
    .route('/', settleRoutes(services))
    .route('/', eraseRoutes(services))
    .route('/', releaseRoutes(services))
}

interface LeadPageProps {
  view: LeadView
  /** Why the lead is not delivered, if known. */
  cause: string | undefined
}

/** Shows one lead: its status, answers, consent and timeline. The page's title and URL don't name the person. */
function LeadPage({ view, cause }: LeadPageProps) {
  const mayDo = useMayDo()
  const { record, isRevealed, repeatedBy } = view
  const { lead, delivery } = record
  const canRevealResponse =
    mayDo('reveal a lead') && delivery?.attempts.at(-1)?.said === hiddenResponseLabel
  const causes = [cause, canRevealResponse && 'To read the response, select Reveal.']
  const isQuarantined = record.status === 'quarantined'
  return (
    <ConsolePage
      name={makeLeadTitle(lead)}
      title="Lead"
      actions={<LeadActions view={view} />}
      isLive
    >
      <p className={styles.reference} data-revealed={isRevealed ? '' : undefined}>
        <span>
          Received <Timestamp at={lead.receivedAt} />
        </span>{' '}
        <span>
          Reference <LeadReference id={lead.id} />
        </span>{' '}
        <a href="/leads">All leads</a>
      </p>
      {view.listedAt !== undefined && (
        <Callout
          kind="problem"
          heading={`${isQuarantined ? 'In quarantine: asked' : 'Asked'} not to be contacted`}
        >
          <p>
            The person is on the list <a href="/do-not-contact">Do not contact</a> since{' '}
            <Timestamp at={view.listedAt} />. {describeListedLead(record, view.listedAt)}
          </p>
        </Callout>
      )}
      {(view.listedAt === undefined || !isQuarantined) && (
        <LeadStatusCallout view={view} cause={causes.filter(Boolean).join(' ')} />
      )}
      <div className={styles.columns}>
        <div>
          <section className={layout.card} aria-labelledby="enquiry">
            <h2 id="enquiry">Enquiry</h2>
            <LeadAnswers lead={lead} />
          </section>
          <section className={layout.card} aria-labelledby="consent">
            <h2 id="consent">Consent</h2>
            <ConsentProof consent={lead.consent} />
            <details className={styles.technical}>
              <summary>Technical details</summary>
              <TechnicalDetails lead={lead} />
            </details>
          </section>
          <LeadNotifications record={record} />
          <LinkedLeads record={record} repeatedBy={repeatedBy} />
        </div>
        <section aria-labelledby="happened">
          <h2 id="happened">Timeline</h2>
          <Timeline view={view} />
          <NextRequest view={view} />
        </section>
      </div>
    </ConsolePage>
  )
}

/** Says what becomes of the lead of a person who is on the list *Do not contact* since the given time. */
function describeListedLead(
  { status, releasedDespite }: VisibleLeadDetails,
  listedAt: number,
): string {
  if (status === 'delivered') return 'The distributor has accepted this lead.'
  if (status === 'quarantined') {
    return 'A worker sends this lead only if an operator releases it.'
  }
  return (releasedDespite ?? 0) >= listedAt
    ? 'An operator has released this lead since then.'
    : 'Workers make no new attempt to send this lead.'
}

/** This message takes the focus, so that keyboard and screen reader users continue at the revealed data. */
const revealedMessage = makeNoteMessage(
  'The person’s data is shown',
  'The audit log records the reveal. Loading the page again masks the data.',
)

/** Makes the heading from the program, initials and state that are still stored, as in `M.B.A. · A. L. · FL`. */
function makeLeadTitle(lead: VisibleLeadDetails['lead']): string {
  if ('unreadable' in lead) return 'Unreadable lead'
  const program = lead.program?.name ?? 'Lead'
  if ('erasedAt' in lead) return `${program} · erased`
  return [program, maskName(`${lead.firstName} ${lead.lastName}`), lead.state]
    .filter((part) => part !== '')
    .join(' · ')
}

function LeadNotifications({ record }: Pick<LeadView, 'record'>) {
  const { notifications, delivery } = record
  const noPostback = delivery?.noPostback
  if (notifications.length === 0 && noPostback === undefined) return null
  return (
    <section className={layout.card} aria-labelledby="notified">
      <h2 id="notified">Notifications</h2>
      <DescriptionList
        items={[
          ...notifications.map((notification): DescriptionItem => {
            const { id, name, event, eventAt } = notification
            const answer = describeCallResult(notification)
            return [
              <a key="name" href={`/webhooks/${id}`}>
                {name}
              </a>,
              <>
                {event}, <Timestamp at={eventAt} />: {describeNotification(notification)}
                {answer !== null && `, ${answer}`}
              </>,
            ]
          }),
          noPostback !== undefined && ['Postback', `not sent: ${noPostback}`],
        ]}
      />
    </section>
  )
}

function LinkedLeads({ record, repeatedBy }: Pick<LeadView, 'record' | 'repeatedBy'>) {
  const { duplicateOf, corrects, correctedBy } = record
  const relations = [
    { name: 'Duplicate of', ids: duplicateOf === null ? [] : [duplicateOf] },
    { name: 'Duplicates', ids: repeatedBy },
    { name: 'Corrects', ids: corrects === null ? [] : [corrects] },
    { name: 'Corrected by', ids: correctedBy },
  ].filter(({ ids }) => ids.length > 0)
  if (relations.length === 0) return null
  return (
    <section className={layout.card} aria-labelledby="linked">
      <h2 id="linked">Linked leads</h2>
      <DescriptionList
        items={relations.map(({ name, ids }) => [name, <LeadLinks key={name} ids={ids} />])}
      />
    </section>
  )
}

function NextRequest({ view: { record, requestPreview, isRevealed } }: { view: LeadView }) {
  if (requestPreview === undefined) return null
  const { contentType, body } = requestPreview
  return (
    <details className={styles.sent}>
      <summary>As sent to the distributor</summary>
      <p>
        The store keeps no sent requests. The console builds this request from the stored lead and
        the current settings, as the next attempt would. <code>lead.ip</code> is the visitor’s IP
        address; if IP_LOOKUP_URL is set, an attempt sends the service’s answer instead.
        {!isRevealed && ' Personal data is masked.'}
      </p>
      <pre className={styles.body}>
        {`content-type: ${contentType}\naccept: application/json\nidempotency-key: ${record.lead.id}\n\n${formatBody(contentType, body)}`}
      </pre>
    </details>
  )
}

function formatBody(contentType: string, body: string): string {
  if (contentType === 'application/json') return JSON.stringify(JSON.parse(body), null, 2)
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
}
