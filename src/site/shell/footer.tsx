import type { Names } from '#content/disclosure.ts'
import { pageLinks } from '#content/legal/page-links.ts'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

interface FooterProps {
  names: Names
  /** The path of the page that it stands on. */
  path: string | undefined
}

export function Footer({ names, path }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <nav aria-label="Legal">
        <ul className={styles.links}>
          {Object.values(pageLinks).map(({ text, href }) => (
            <li key={href}>
              <PageLink href={href} path={path}>
                {text}
              </PageLink>
            </li>
          ))}
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
