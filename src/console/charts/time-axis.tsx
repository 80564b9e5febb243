import styles from './charts.module.css'

const written = {
  clock: new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
}

interface TimeAxisProps {
  /** Epoch milliseconds. */
  from: number
  until: number
}

/** Where more than a day is shown, days tell more than hours. The script writes them in the operator's zone. */
export function TimeAxis({ from, until }: TimeAxisProps) {
  const as = until - from > 24 * 3_600_000 ? 'day' : 'clock'
  return (
    <p className={styles.axis}>
      {[from, (from + until) / 2, until].map((at) => {
        const exact = new Date(at).toISOString()
        return (
          <time key={at} dateTime={exact} title={exact} data-as={as}>
            {written[as].format(at)}
          </time>
        )
      })}
    </p>
  )
}
