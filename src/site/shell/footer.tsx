import type { Names } from '#content/disclosure.ts'
import styles from './footer.module.css'

export function Footer({ names }: { names: Names }) {
  return (
    <footer className={styles.footer}>
      <nav aria-label="Legal">
        <ul className={styles.links}>
          <li>
            <a href="/information/privacy-policy">Privacy Policy</a>
          </li>
          <li>
            <a href="/information/terms-conditions">Terms &amp; Conditions</a>
          </li>
          <li>
            <a href="/information/privacy-rights-request">Privacy Rights Request</a>
          </li>
          <li>
            <a href={names.unsubscribeUrl} rel="noopener" target="_blank">
              Unsubscribe<span className="visually-hidden"> (opens in a new tab)</span>
            </a>
          </li>
        </ul>
      </nav>
      <p className={styles.operator}>
        This site is run by {names.operator}, which sends your enquiry to {names.school}.
      </p>
    </footer>
  )
}
