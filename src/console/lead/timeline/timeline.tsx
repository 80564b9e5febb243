import { Moment } from '../../shell/moment.tsx'
import styles from './timeline.module.css'
import type { TimelineEvent } from './timeline-event.ts'

/** The first thing first; read from top to bottom it is the lead's story. */
export const Timeline = ({ events }: { events: readonly TimelineEvent[] }) => (
  <ol className={styles.timeline} aria-label="What happened">
    {events.map(({ key, at, kind, what, more }) => (
      <li key={key} className={styles[kind]}>
        <p className={styles.what}>{what}</p>
        {kind !== 'wait' && (
          <p className={styles.at}>
            <Moment at={at} />
          </p>
        )}
        {more}
      </li>
    ))}
  </ol>
)
