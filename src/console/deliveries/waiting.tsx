import figures from '../overview/figures.module.css'
import { durationInWords } from '../shell/duration-in-words.ts'
import { countInWords } from './count-in-words.ts'
import styles from './deliveries-page.module.css'
import type { ShownDeliveries } from './shown-deliveries.ts'

/** The backlog in three figures, each the way to what it counts. */
export function Waiting({ backlog, now }: { backlog: ShownDeliveries['backlog']; now: number }) {
  const { waiting, due, oldest } = backlog
  const list = '/leads?status=pending&status=leased'
  return (
    <dl className={styles.figures}>
      <Figure name="waiting" figure={countInWords(waiting)} href={list} />
      <Figure name="due now" figure={countInWords(due)} href={list} />
      <Figure
        name="oldest waits"
        figure={oldest === undefined ? '–' : durationInWords(now - oldest.receivedAt)}
        href={oldest === undefined ? list : `/leads/${oldest.id}`}
      />
    </dl>
  )
}

const Figure = ({ name, figure, href }: { name: string; figure: string; href: string }) => (
  <div className={figures.figure}>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{figure}</dd>
  </div>
)
