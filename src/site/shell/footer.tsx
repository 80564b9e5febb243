import { areaPages } from '#content/area-pages.ts'
import type { Names } from '#content/disclosure.ts'
import { pageLinks } from '#content/legal/page-links.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

interface FooterProps {
  names: Names
  /** The path of the page that it stands on. */
  path: string | undefined
}

/** To that one the header leads. */
const isNoHome = (area: Area): boolean => area !== 'general'

export function Footer({ names, path }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <p className={styles.school}>{names.school}</p>
      <nav aria-label="Programs">
        <ul className={styles.links}>
          {areas.filter(isNoHome).map((area) => (
            <li key={area}>
              <PageLink href={areaPath(area)} path={path}>
                {areaPages[area].name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
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
        This site is run by {names.operator}, which sends your request to {names.school}.
      </p>
    </footer>
  )
}
