import type { ReactNode } from 'react'
import styles from './charts.module.css'
import { TimeAxis } from './time-axis.tsx'

/** The drawing's own units: it is stretched to its place, and its lines stay as wide as they are. */
export const width = 1000
export const height = 100

export interface ChartProps {
  name: string
  /** In all, or at last: large. */
  headline: string
  /** What else it draws, in a few words. */
  note: string
  /** What the drawing shows, in a sentence. */
  said: string
  /** Epoch milliseconds. */
  from: number
  until: number
}

interface DrawnProps extends ChartProps {
  /** What its upper and its lower edge stand for. */
  edges: readonly [top: string, bottom: string]
  children: ReactNode
}

/** Says in a sentence what it shows; its figures stand in a table below. */
export function Chart(props: DrawnProps) {
  const { name, headline, note, said, from, until, edges, children } = props
  const [top, bottom] = edges
  return (
    <figure className={styles.chart}>
      <figcaption>
        {name} <strong>{headline}</strong> {note}
      </figcaption>
      <div className={styles.plot} role="img" aria-label={said}>
        <span className={styles.top}>{top}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, height / 2, height].map((y) => (
            <line key={y} className={styles.grid} x1={0} x2={width} y1={y} y2={y} />
          ))}
          {children}
        </svg>
        <span className={styles.bottom}>{bottom}</span>
      </div>
      <TimeAxis from={from} until={until} />
    </figure>
  )
}
