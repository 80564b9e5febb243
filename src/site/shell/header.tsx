import type { Logo } from '#content/site-words.ts'
import { capMark } from './cap-mark.ts'
import styles from './header.module.css'
import { PageLink } from './page-link.tsx'

interface HeaderProps {
  school: string
  logo: Logo | undefined
  /** The path of the page that it stands on. */
  path: string | undefined
}

export function Header({ school, logo, path }: HeaderProps) {
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
            <path d={capMark.board} />
            <path d={capMark.cap} opacity={capMark.capOpacity} />
          </svg>
        )}
        {logo?.hasName ? '' : school}
      </PageLink>
    </header>
  )
}
