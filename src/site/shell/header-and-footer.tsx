import type { ReactNode } from 'react'
import {
  type Logo,
  legalPaths,
  type SiteNames,
  type SiteTexts,
  type Telephone,
} from '#content/site-texts.ts'
import { areaPath, fieldAreas } from '#domain/area.ts'
import footerStyles from './footer.module.css'
import styles from './header.module.css'
import { logoSvgPaths } from './page-assets.ts'

interface PageLinkProps {
  href: string
  path: string | undefined
  className?: string | undefined
  children: ReactNode
}

/** A link, or only its text if the link would lead to the current page (reading 15). */
export function PageLink({ href, path, className, children }: PageLinkProps) {
  return href === path ? (
    <span className={className} aria-current="page">
      {children}
    </span>
  ) : (
    <a className={className} href={href}>
      {children}
    </a>
  )
}

interface HeaderProps {
  school: string
  logo: Logo | undefined
  telephone: Telephone | undefined
  path: string | undefined
}

export function Header({ school, logo, telephone, path }: HeaderProps) {
  return (
    <header className={styles.header}>
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <PageLink className={styles.school} href="/" path={path}>
        {logo ? (
          <img
            className={styles.logo}
            src={logo.src}
            alt={logo.hasName ? school : ''}
            width={logo.width}
            height={logo.height}
          />
        ) : (
          <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
            <path d={logoSvgPaths.board} />
            <path d={logoSvgPaths.cap} opacity={logoSvgPaths.capOpacity} />
          </svg>
        )}
        {logo?.hasName ? '' : school}
      </PageLink>
      {telephone && (
        <p className={styles.telephone}>
          <a href={telephone.href} aria-label={`Call ${telephone.number}`}>
            <b>Call</b> <span>{telephone.number}</span>
          </a>
          {telephone.hours !== undefined && <span> {telephone.hours}</span>}
        </p>
      )}
    </header>
  )
}

interface FooterProps {
  names: SiteNames
  texts: SiteTexts
  path: string | undefined
}

export function Footer({ names, texts, path }: FooterProps) {
  return (
    <footer className={footerStyles.footer}>
      <p className={footerStyles.school}>{names.school}</p>
      <nav aria-label="Programs">
        <ul className={footerStyles.links}>
          {fieldAreas.map((area) => (
            <li key={area}>
              <PageLink href={areaPath(area)} path={path}>
                {texts.areas[area].name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Legal">
        <ul className={footerStyles.links}>
          {legalPaths.map((href) => (
            <li key={href}>
              <PageLink href={href} path={path}>
                {texts.legal[href].title}
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
      <p className={footerStyles.operator}>
        This site is run by {names.operator}, which sends your request to {names.school}.
      </p>
    </footer>
  )
}
