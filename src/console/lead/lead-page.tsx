import { type Attribution, clickIdParams } from '#domain/lead/attribution.ts'
import type { Consent as GivenConsent } from '#domain/lead/lead.ts'
import type { LeadView, VisibleLeadDetails } from '#domain/lead/lead-details.ts'
import { maskName } from '#domain/lead/mask-lead.ts'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { type Fact, Facts } from '../shell/facts.tsx'
import { LeadLinks, Reference } from '../shell/lead-link.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'
import { LeadActions } from './lead-actions.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { LeadNotifications } from './lead-notifications.tsx'
import styles from './lead-page.module.css'
import { LeadStatus } from './lead-status.tsx'
import { Timeline } from './timeline.tsx'

export interface LeadPageProps {
  shell: ConsoleShell
  view: LeadView
  /** Why the lead is not delivered, if known. */
  cause: string | undefined
  /** The message about the action that redirected to this page. */
  message?: Message | undefined
}

/** Explains one lead's state. The page's title and address contain no personal data. */
export function LeadPage({ shell, view, cause, message }: LeadPageProps) {
  const { record, isRevealed, sent, repeatedBy } = view
  const { lead } = record
  return (
    <ConsolePage
      shell={shell}
      name={makeLeadTitle(lead)}
      title="Lead"
      message={message ?? (isRevealed ? revealed : undefined)}
      actions={<LeadActions shell={shell} view={view} />}
      isLive
    >
      <p className={styles.reference} data-revealed={isRevealed ? '' : undefined}>
        <span>
          Received <Timestamp at={lead.receivedAt} />
        </span>{' '}
        <Reference id={lead.id} /> <a href="/leads">All leads</a>
      </p>
      <LeadStatus view={view} cause={cause} />
      <div className={styles.columns}>
        <div>
          <section className={layout.card} aria-labelledby="enquiry">
            <h2 id="enquiry">Enquiry</h2>
            <LeadFacts lead={lead} />
          </section>
          <section className={layout.card} aria-labelledby="consent">
            <h2 id="consent">Consent</h2>
            <Consent consent={lead.consent} />
            <details className={styles.technical}>
              <summary>Technical details</summary>
              <TechnicalDetails lead={lead} />
            </details>
          </section>
          <LeadNotifications delivery={record.delivery} />
          <LinkedLeads record={record} repeatedBy={repeatedBy} />
        </div>
        <section aria-labelledby="happened">
          <h2 id="happened">Timeline</h2>
          <Timeline view={view} />
          {sent && <SentBody id={lead.id} {...sent} isRevealed={isRevealed} />}
        </section>
      </div>
    </ConsolePage>
  )
}

/** The message takes the focus, so that keyboard and screen reader continue at the revealed data. */
const revealed: Message = {
  kind: 'note',
  heading: 'The person’s data is shown',
  text: 'The audit log records the reveal. Loading the page again masks the data.',
}

/** Names the lead by program, initials and state, as far as they are kept: `M.B.A. · A. L. · FL`. */
function makeLeadTitle(lead: VisibleLeadDetails['lead']): string {
  if ('unreadable' in lead) return 'Unreadable lead'
  const program = lead.program?.name ?? 'Lead'
  if ('erasedAt' in lead) return `${program} · erased`
  return [program, maskName(`${lead.firstName} ${lead.lastName}`), lead.state]
    .filter((part) => part !== '')
    .join(' · ')
}

interface LinkedLeadsProps {
  record: VisibleLeadDetails
  repeatedBy: readonly string[]
}

function LinkedLeads({
  record: { duplicateOf, corrects, correctedBy },
  repeatedBy,
}: LinkedLeadsProps) {
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
      <Facts of={relations.map(({ name, ids }) => [name, <LeadLinks key={name} ids={ids} />])} />
    </section>
  )
}

interface SentBodyProps {
  id: string
  contentType: string
  body: string
  isRevealed: boolean
}

/** Shows the body of the request once, because every attempt sends the same body. */
const SentBody = ({ id, contentType, body, isRevealed }: SentBodyProps) => (
  <details className={styles.sent}>
    <summary>As sent to the distributor</summary>
    <p>
      Built from the stored lead and today’s settings, like the next attempt; sent requests are not
      stored. <code>lead.ip</code> is the visitor’s address; attempts send an IP service’s answer
      instead, if one is set.{!isRevealed && ' Personal data is masked.'}
    </p>
    <pre className={styles.body}>
      {`content-type: ${contentType}\naccept: application/json\nidempotency-key: ${id}\n\n${formatBody(contentType, body)}`}
    </pre>
  </details>
)

function formatBody(contentType: string, body: string): string {
  if (contentType === 'application/json') return JSON.stringify(JSON.parse(body), null, 2)
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
}

function Consent({ consent }: { consent: GivenConsent | null }) {
  if (consent === null) return <p>The proof of consent was erased after its retention period.</p>
  return (
    <>
      <p className={styles.quote}>{consent.text}</p>
      <Facts of={[['Agreed', <Timestamp key="at" at={consent.at} />]]} />
    </>
  )
}

/** Shows the proof of consent, and the browser's data sent with it. */
const TechnicalDetails = ({ lead }: { lead: VisibleLeadDetails['lead'] }) => (
  <Facts
    of={[
      ['Reference', <code key="id">{lead.id}</code>],
      ...consentFacts(lead.consent),
      'gpc' in lead && ['Global Privacy Control', describeGpc(lead.gpc)],
      ...('attribution' in lead && lead.attribution ? clickIdFacts(lead.attribution) : []),
    ]}
  />
)

const consentFacts = (consent: GivenConsent | null): readonly Fact[] =>
  consent === null
    ? []
    : [
        ['Page', consent.pageUrl],
        ['IP address', consent.ip || 'erased'],
        ['Browser', consent.userAgent || 'not kept'],
        ['SHA-256 of the consent text', <code key="hash">{consent.textHash}</code>],
      ]

const clickIdFacts = ({ first, last }: Attribution): readonly Fact[] =>
  clickIdParams.flatMap((param) => {
    const ids = [...new Set([first[param], last[param]])].filter((id) => id !== undefined)
    return ids.map((id): Fact => [`Click id ${param}`, <code key={id}>{id}</code>])
  })

function describeGpc(gpc: boolean | null): string {
  if (gpc === null) return 'not known: the lead could not be read when it was erased'
  return gpc ? 'on: the visitor asked not to sell or share their data' : 'off'
}
