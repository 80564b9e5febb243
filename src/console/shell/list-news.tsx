import styles from './live-switch.module.css'

/** Stands right before a list that is followed: how many would come to it, once there are any. */
export const ListNews = ({ href }: { href: string }) => (
  <div className={styles.news}>
    <a href={href} hidden>
      Show what is new
    </a>
    <span className="visually-hidden" role="status" />
  </div>
)
