import styles from './header.module.css'

export function Header({ school }: { school: string }) {
  return (
    <header className={styles.header}>
      <a className={styles.school} href="/">
        <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 4 2 11l14 7 14-7z" />
          <path d="M7 15v7c0 2 4 5 9 5s9-3 9-5v-7l-9 4.5z" opacity=".75" />
        </svg>
        {school}
      </a>
    </header>
  )
}
