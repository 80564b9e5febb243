import type { Consent as GivenConsent } from '#domain/lead/lead.ts'
import { Moment } from '../shell/moment.tsx'
import styles from './lead-page.module.css'

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
