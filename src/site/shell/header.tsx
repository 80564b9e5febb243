import { capMark } from './cap-mark.ts'
import styles from './header.module.css'
import { PageLink } from './page-link.tsx'

interface HeaderProps {
  school: string
  /** The path of the page that it stands on. */
  path: string | undefined
}

export function Header({ school, path }: HeaderProps) {
  return (
    <header className={styles.header}>
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <PageLink className={styles.school} href="/" path={path}>
        <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
          <path d={capMark.board} />
          <path d={capMark.cap} opacity={capMark.capOpacity} />
        </svg>
        {school}
      </PageLink>
    </header>
  )
}
