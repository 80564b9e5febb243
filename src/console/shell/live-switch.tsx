import styles from './live-switch.module.css'

/** Shown by the page's script, which keeps the page up to date. Without one, the page stays as it was loaded. */
export const LiveSwitch = () => (
  <p className={styles.live} id="live-switch" data-live-switch="" data-live-keep="" hidden>
    <button className={styles.switch} type="button" aria-pressed="true">
      Live updates
    </button>{' '}
    <span className={styles.said} aria-live="polite" data-live-state="" />
  </p>
)
