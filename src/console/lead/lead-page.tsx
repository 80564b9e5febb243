import { ConsolePage } from '#console/shell/console-page.tsx'
import { type DescriptionItem, DescriptionList } from '#console/shell/description-list.tsx'
import { LeadLinks, ShortReference } from '#console/shell/lead-link.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import layout from '#console/shell/two-columns.module.css'
import { hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import { type Attribution, clickIdParams } from '#domain/lead/attribution.ts'
import type { Consent } from '#domain/lead/lead.ts'
import type { LeadView, VisibleLeadDetails } from '#domain/lead/lead-details.ts'
import { maskName } from '#domain/lead/mask-lead.ts'
import { describeCallResult, describeNotification } from '#domain/notifications/notification.ts'
import type { Message } from '#domain/operator/messages.ts'
import { LeadActions } from './lead-actions.tsx'
import { LeadAnswers } from './lead-answers.tsx'
import styles from './lead-page.module.css'
import { LeadStatusCallout } from './lead-status-callout.tsx'
import { Timeline } from './timeline.tsx'

export interface LeadPageProps {
  view: LeadView
  /** Why the lead is not delivered, if known. */
  cause: string | undefined
  /** The result of the action that redirected to this page. */
  message?: Message | undefined
}

/** Shows one lead: its status, answers, consent and timeline. The page's title and URL don't name the person. */
export function LeadPage({ view, cause, message }: LeadPageProps) {
  const mayDo = useMayDo()
  const { record, isRevealed, repeatedBy } = view
  const { lead, delivery } = record
  const canRevealResponse =
    mayDo('reveal a lead') && delivery?.attempts.at(-1)?.said === hiddenResponseLabel
  const causes = [cause, canRevealResponse && 'To read the response, select Reveal.']
  return (
    <ConsolePage
      name={makeLeadTitle(lead)}
      title="Lead"
      message={message ?? (isRevealed ? revealedMessage : undefined)}
      actions={<LeadActions view={view} />}
      isLive
    >
      <p className={styles.reference} data-revealed={isRevealed ? '' : undefined}>
        <span>
          Received <Timestamp at={lead.receivedAt} />
        </span>{' '}
        <ShortReference id={lead.id} /> <a href="/leads">All leads</a>
      </p>
      <LeadStatusCallout view={view} cause={causes.filter(Boolean).join(' ')} />
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
          <LeadNotifications delivery={delivery} />
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

/** This message takes the focus, so that keyboard and screen reader users continue at the revealed data. */
const revealedMessage: Message = {
  kind: 'note',
  heading: 'The person’s data is shown',
  text: 'The audit log records the reveal. Loading the page again masks the data.',
}

/** Makes the heading from the program, initials and state that are still stored, as in `M.B.A. · A. L. · FL`. */
function makeLeadTitle(lead: VisibleLeadDetails['lead']): string {
  if ('unreadable' in lead) return 'Unreadable lead'
  const program = lead.program?.name ?? 'Lead'
  if ('erasedAt' in lead) return `${program} · erased`
  return [program, maskName(`${lead.firstName} ${lead.lastName}`), lead.state]
    .filter((part) => part !== '')
    .join(' · ')
}

/** Lists the notifications about the lead, or says why the affiliate got no postback. */
function LeadNotifications({ delivery }: Pick<VisibleLeadDetails, 'delivery'>) {
  const { notifications = [], noPostback } = delivery ?? {}
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

function ConsentProof({ consent }: { consent: Consent | null }) {
  if (consent === null) return <p>The proof of consent was erased after its retention period.</p>
  return (
    <>
      <p className={styles.quote}>{consent.text}</p>
      <DescriptionList items={[['Agreed', <Timestamp key="at" at={consent.at} />]]} />
    </>
  )
}

/** Shows the rest of the proof of consent, the visitor's Global Privacy Control and the click ids. */
const TechnicalDetails = ({ lead }: Pick<VisibleLeadDetails, 'lead'>) => (
  <DescriptionList
    items={[
      ['Reference', <code key="id">{lead.id}</code>],
      ...(lead.consent ? listConsentDetails(lead.consent) : []),
      'gpc' in lead && ['Global Privacy Control', describeGpc(lead.gpc)],
      ...('attribution' in lead && lead.attribution ? listClickIds(lead.attribution) : []),
    ]}
  />
)

const listConsentDetails = (consent: Consent): readonly DescriptionItem[] => [
  ['Page', consent.pageUrl],
  ['IP address', consent.ip || 'erased'],
  ['Browser', consent.userAgent || 'not kept'],
  ['SHA-256 of the consent text', <code key="hash">{consent.textHash}</code>],
]

const listClickIds = ({ first, last }: Attribution): readonly DescriptionItem[] =>
  clickIdParams.flatMap((param) => {
    const ids = [...new Set([first[param], last[param]])].filter((id) => id !== undefined)
    return ids.map((id): DescriptionItem => [`Click id ${param}`, <code key={id}>{id}</code>])
  })

function describeGpc(gpc: boolean | null): string {
  if (gpc === null) return 'not known: the lead could not be read when it was erased'
  return gpc ? 'on: the visitor asked not to sell or share their data' : 'off'
}
