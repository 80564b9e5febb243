import { Fragment } from 'react'
import type { Consent as GivenConsent } from '#domain/lead/lead.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import type { Message } from '../shell/message.tsx'
import { Notice } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'
import { LeadActs } from './lead-acts.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { LeadLinks, LeadStatusMark } from './lead-name.tsx'
import styles from './lead-page.module.css'
import type { ShownLead, ShownRecord } from './shown-lead.ts'
import { Standing } from './standing.tsx'
import { Timeline, timelineOf } from './timeline.tsx'

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

interface SentBodyProps {
  readonly id: string
  readonly contentType: string
  readonly body: string
  readonly isRevealed: boolean
  /** Else it would be, once it owes a delivery. */
  readonly wasTried: boolean
}

/** Every attempt sends the same: it stands here once, however often it was tried. */
export const SentBody = ({ id, contentType, body, isRevealed, wasTried }: SentBodyProps) => (
  <details className={styles.sent}>
    <summary>As it {wasTried ? 'is' : 'would be'} sent to the distributor</summary>
    {/* In here: a browser that is led to it opens what it lies in. */}
    <p id="sent">
      Made of the stored lead and today’s settings, as the next attempt would be; a copy of each
      attempt is not kept. <code>lead.ip</code> is what the visitor came from: where an IP service
      is asked, its answer is sent.{!isRevealed && ' What names the person is masked.'}
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

/** What the visitor agreed to, as it was shown, and how that is proven. */
export function Consent({ consent }: { consent: GivenConsent | null }) {
  if (consent === null) return <p>The proof of consent is gone, too: its own time was over.</p>
  const { text, textHash, at, ip, userAgent, pageUrl } = consent
  return (
    <>
      <p className={styles.quote}>{text}</p>
      <dl>
        <dt>Agreed</dt>
        <dd>
          <Moment at={at} />
        </dd>
        <dt>On</dt>
        <dd>{pageUrl}</dd>
        <dt>From</dt>
        <dd>{ip === '' ? 'erased' : ip}</dd>
        <dt>Browser</dt>
        <dd>{userAgent === '' ? 'none kept' : userAgent}</dd>
        <dt>Text’s SHA-256</dt>
        <dd>
          <code>{textHash}</code>
        </dd>
      </dl>
    </>
  )
}
