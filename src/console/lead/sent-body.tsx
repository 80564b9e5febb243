import styles from './lead-page.module.css'

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
