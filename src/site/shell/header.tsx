import { capMark } from './cap-mark.ts'
import styles from './header.module.css'

export function Header({ school }: { school: string }) {
  return (
    <header className={styles.header}>
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <a className={styles.school} href="/">
        <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
          <path d={capMark.board} />
          <path d={capMark.cap} opacity={capMark.capOpacity} />
        </svg>
        {school}
      </a>
    </header>
  )
}
