import styles from './live-switch.module.css'

/** Stands right before a list that is followed, and keeps its room: how many rows would come, shown and announced once. */
export const ListNews = ({ href }: { href: string }) => (
  <div className={styles.news} role="status">
    <a href={href} hidden>
      Show what is new
    </a>
  </div>
)
