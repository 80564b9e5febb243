import type { Names } from '#content/disclosure.ts'
import { legalPaths } from '#content/legal/legal-paths.ts'
import type { SiteWords } from '#content/site-words.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

interface FooterProps {
  names: Names
  words: SiteWords
  /** The path of the page that it stands on. */
  path: string | undefined
}

/** To that one the header leads. */
const isNoHome = (area: Area): boolean => area !== 'general'

export function Footer({ names, words, path }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <p className={styles.school}>{names.school}</p>
      <nav aria-label="Programs">
        <ul className={styles.links}>
          {areas.filter(isNoHome).map((area) => (
            <li key={area}>
              <PageLink href={areaPath(area)} path={path}>
                {words.areas[area].name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Legal">
        <ul className={styles.links}>
          {legalPaths.map((href) => (
            <li key={href}>
              <PageLink href={href} path={path}>
                {words.legal[href].title}
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
