import type { LiveTopic } from '#domain/live-topic.ts'
import styles from './live-switch.module.css'

interface LiveSwitchProps {
  follows: readonly LiveTopic[]
  mark: string
}

/** Shown by the page's script, which follows what happens: without one a page is as it was when it was loaded. */
export const LiveSwitch = ({ follows, mark }: LiveSwitchProps) => (
  <p className={styles.live} data-live-follows={follows.join(' ')} data-live-mark={mark} hidden>
    <button className={styles.switch} type="button" aria-pressed="true">
      Live updates
    </button>{' '}
    <span className={styles.said} aria-live="polite" data-live-said="" />
  </p>
)
