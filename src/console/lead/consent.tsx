import type { Consent as GivenConsent } from '#domain/lead/lead.ts'
import { Moment } from '../shell/moment.tsx'
import styles from './lead-page.module.css'

/** What the visitor agreed to, as it was shown, and how that is proven. */
export function Consent({ consent }: { consent: GivenConsent | null }) {
  if (consent === null) return <p>The proof of consent is gone, too: its own time was over.</p>
  const { text, textHash, at, ip, userAgent, pageUrl } = consent
  return (
    <>
      <blockquote className={styles.quote}>{text}</blockquote>
      <dl>
        <div>
          <dt>Agreed</dt>
          <dd>
            <Moment at={at} />
          </dd>
        </div>
        <div>
          <dt>On</dt>
          <dd>{pageUrl}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{ip === '' ? 'erased' : ip}</dd>
        </div>
        <div>
          <dt>Browser</dt>
          <dd>{userAgent === '' ? 'none kept' : userAgent}</dd>
        </div>
        <div>
          <dt>Text’s SHA-256</dt>
          <dd>
            <code>{textHash}</code>
          </dd>
        </div>
      </dl>
    </>
  )
}
