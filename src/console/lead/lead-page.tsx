import { Fragment } from 'react'
import type { Consent as GivenConsent } from '#domain/lead/lead.ts'
import { maskedName } from '#domain/lead/mask-lead.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import type { Message } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'
import { LeadActs } from './lead-acts.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { LeadLinks, Reference } from './lead-name.tsx'
import styles from './lead-page.module.css'
import type { ShownLead, ShownRecord } from './shown-lead.ts'
import { Standing } from './standing.tsx'
import { Timeline, timelineOf } from './timeline.tsx'

export interface LeadPageProps {
  shell: Shell
  view: ShownLead
  /** As in {@link Standing}. */
  culprit: string | undefined
  /** The result of the action that led here. */
  said?: Message | undefined
}

/** Explains one lead's state. The page's title and address contain no personal data. */
export function LeadPage({ shell, view, culprit, said }: LeadPageProps) {
  const { record, isRevealed, sent, repeatedBy } = view
  const { lead } = record
  return (
    <ConsolePage
      shell={shell}
      name={nameOf(lead)}
      title="Lead"
      message={said ?? (isRevealed ? revealed : undefined)}
      actions={<LeadActs shell={shell} view={view} />}
      isLive
    >
      <p className={styles.reference} data-revealed={isRevealed ? '' : undefined}>
        <span>
          Received <Moment at={lead.receivedAt} />
        </span>{' '}
        <Reference id={lead.id} /> <a href="/leads">All leads</a>
      </p>
      <Standing view={view} culprit={culprit} />
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
          <Linked record={record} repeatedBy={repeatedBy} />
        </div>
        <section aria-labelledby="happened">
          <h2 id="happened">Timeline</h2>
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
      </div>
    </ConsolePage>
  )
}

/** It takes the focus, so that keyboard and screen reader continue where the page has changed. */
const revealed: Message = {
  kind: 'note',
  heading: 'The person’s data is shown',
  text: 'The audit log records this. The data is masked again when the page is loaded next.',
}

/** `M.B.A. · A. L. · FL`: program, initials and state, as far as they are kept. */
function nameOf(lead: ShownRecord['lead']): string {
  if ('unreadable' in lead) return 'Unreadable lead'
  const program = lead.program?.name ?? 'Lead'
  if ('erasedAt' in lead) return `${program} · erased`
  return [program, maskedName(`${lead.firstName} ${lead.lastName}`), lead.state]
    .filter((part) => part !== '')
    .join(' · ')
}

/** Leads of the same person and program. */
function Linked({
  record: { duplicateOf, corrects, correctedBy },
  repeatedBy,
}: {
  record: ShownRecord
  repeatedBy: readonly string[]
}) {
  const bonds = [
    ['Duplicate of', duplicateOf === null ? [] : [duplicateOf]],
    ['Duplicates', repeatedBy],
    ['Corrects', corrects === null ? [] : [corrects]],
    ['Corrected by', correctedBy],
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

interface SentBodyProps {
  readonly id: string
  readonly contentType: string
  readonly body: string
  readonly isRevealed: boolean
  /** False for a request that has not been sent yet. */
  readonly wasTried: boolean
}

/** Every attempt sends the same body, so it is shown once. */
export const SentBody = ({ id, contentType, body, isRevealed, wasTried }: SentBodyProps) => (
  <details className={styles.sent}>
    <summary>As it {wasTried ? 'is' : 'would be'} sent to the distributor</summary>
    {/* In here: a browser that is led to it opens what it lies in. */}
    <p id="sent">
      Made of the stored lead and today’s settings, as the next attempt would be; a copy of each
      attempt is not kept. <code>lead.ip</code> is what the visitor came from: where an IP service
      is asked, its answer is sent.{!isRevealed && ' The person’s details are masked.'}
    </p>
    <pre className={styles.body}>{inLines(contentType, body)}</pre>
    <details>
      <summary>The request, character for character</summary>
      <pre className={styles.body}>
        {`content-type: ${contentType}\naccept: application/json\nidempotency-key: ${id}\n\n${body}`}
      </pre>
    </details>
  </details>
)

function inLines(contentType: string, body: string): string {
  if (contentType === 'application/json') return JSON.stringify(JSON.parse(body), null, 2)
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
}

/** The disclosure as the visitor saw it. */
function Consent({ consent }: { consent: GivenConsent | null }) {
  if (consent === null) return <p>The proof of consent is erased, as its retention has ended.</p>
  const { text, at } = consent
  return (
    <>
      <p className={styles.quote}>{text}</p>
      <dl>
        <dt>Agreed</dt>
        <dd>
          <Moment at={at} />
        </dd>
      </dl>
    </>
  )
}

/** The proof of consent, and the browser's data sent with it. */
function TechnicalDetails({ lead }: { lead: ShownRecord['lead'] }) {
  const { consent } = lead
  return (
    <dl>
      <dt>Reference</dt>
      <dd>
        <code>{lead.id}</code>
      </dd>
      {consent !== null && (
        <>
          <dt>Page</dt>
          <dd>{consent.pageUrl}</dd>
          <dt>IP address</dt>
          <dd>{consent.ip === '' ? 'erased' : consent.ip}</dd>
          <dt>Browser</dt>
          <dd>{consent.userAgent === '' ? 'not kept' : consent.userAgent}</dd>
          <dt>SHA-256 of the consent text</dt>
          <dd>
            <code>{consent.textHash}</code>
          </dd>
        </>
      )}
      {'gpc' in lead && (
        <>
          <dt>Global Privacy Control</dt>
          <dd>{describeGpc(lead.gpc)}</dd>
        </>
      )}
    </dl>
  )
}

function describeGpc(gpc: boolean | null): string {
  if (gpc === null) return 'not known: the lead could not be read when it was erased'
  return gpc ? 'on: the visitor asked not to sell or share their data' : 'off'
}
