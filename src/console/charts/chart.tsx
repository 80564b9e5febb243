import { scaleBand, scaleLinear, scaleLog } from 'd3-scale'
import { line } from 'd3-shape'
import type { ReactNode } from 'react'
import styles from './charts.module.css'

/** The drawing's own units: it is stretched to its place, and its lines stay as wide as they are. */
export const width = 1000
export const height = 100

export interface ChartProps {
  name: string
  /** In all, or at last: large. */
  headline: string
  /** Describes the other parts of the drawing in a few words. */
  note: string
  /** Describes the drawing in a sentence. */
  said: string
  /** Epoch milliseconds. */
  from: number
  until: number
}

interface DrawnProps extends ChartProps {
  /** The values at its upper and lower edge. */
  edges: readonly [top: string, bottom: string]
  legend?: readonly { readonly name: string; readonly kind: Kind; readonly sum: number }[]
  children: ReactNode
}

/** Says in a sentence what it shows; its figures stand in a table below. */
export function Chart(props: DrawnProps) {
  const { name, headline, note, said, from, until, edges, legend = [], children } = props
  const [top, bottom] = edges
  return (
    <figure className={styles.chart} aria-label={name}>
      <figcaption>
        {name} <strong>{headline}</strong> {note}
      </figcaption>
      {legend.length > 0 && (
        <ul className={styles.legend}>
          {legend.map((entry) => (
            <li key={entry.name} data-kind={entry.kind}>
              {entry.name} <b>{entry.sum.toLocaleString('en-US')}</b>
            </li>
          ))}
        </ul>
      )}
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

interface StackedBarChartProps extends ChartProps {
  /** From the bottom up; the values of each in the order of time. */
  series: readonly {
    readonly name: string
    readonly kind: Kind
    readonly values: readonly number[]
  }[]
}

type Kind = 'well' | 'note' | 'problem'

/** Several counts on top of each other, with a legend that has their sums. */
export function StackedBarChart({ series, ...chart }: StackedBarChartProps) {
  const indexes = (series[0]?.values ?? []).map((_, index) => index)
  const sums = indexes.map((index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  )
  const x = scaleBand(indexes, [0, width]).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(1, ...sums)], [height, 0]).nice(2)
  const [, most = 1] = y.domain()
  return (
    <Chart
      {...chart}
      legend={series.map(({ name, kind, values }) => ({
        name,
        kind,
        sum: values.reduce((sum, value) => sum + value, 0),
      }))}
      edges={[most.toLocaleString('en-US'), '0']}
    >
      {indexes.map((index) =>
        series.map(({ kind, values }, level) => {
          const below = series
            .slice(0, level)
            .reduce((sum, one) => sum + (one.values[index] ?? 0), 0)
          const value = values[index] ?? 0
          const top = y(below + value)
          return value === 0 ? null : (
            <rect
              key={`${index} ${kind}`}
              className={styles[kind]}
              x={x(index)}
              y={round(top)}
              width={round(x.bandwidth())}
              height={round(y(below) - top)}
            />
          )
        }),
      )}
    </Chart>
  )
}

const round = (value: number): number => Math.round(value * 10) / 10

export interface ChartLine {
  /** Told apart by its strokes, not by its colour. */
  readonly stroke: 'whole' | 'dashed'
  /** In the order of time; null for a missing value. */
  readonly values: readonly (number | null)[]
}

interface LineChartProps extends ChartProps {
  lines: readonly ChartLine[]
  inWords: (value: number) => string
  /** Milliseconds and days are to be seen in one drawing. */
  areLengths?: boolean
}

export function LineChart({ lines, inWords, areLengths = false, ...chart }: LineChartProps) {
  const values = lines.flatMap((one) => one.values.filter((value) => value !== null))
  const y = areLengths ? logOf(values) : linearOf(values)
  const [least = 0, most = 1] = y.domain()
  return (
    <Chart {...chart} edges={[inWords(most), inWords(least)]}>
      {lines.map(({ stroke, values }) => {
        const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, width])
        const points = values.map((value, index) => ({ value, index }))
        const draw = line<(typeof points)[number]>(
          ({ index }) => x(index),
          ({ value }) => y(value ?? 0),
        )
          .defined(({ value }) => value !== null)
          .digits(1)
        return (
          <g key={stroke}>
            <path className={styles[stroke]} d={draw(points) ?? ''} />
            {points.filter(isAlone).map(({ value, index }) => (
              <path key={index} className={styles.point} d={`M${x(index)} ${y(value ?? 0)}h0`} />
            ))}
          </g>
        )
      })}
    </Chart>
  )
}

interface Point {
  readonly value: number | null
}

/** Between two gaps there is no line to be seen. */
const isAlone = ({ value }: Point, index: number, points: readonly Point[]): boolean =>
  value !== null &&
  (points[index - 1]?.value ?? null) === null &&
  (points[index + 1]?.value ?? null) === null

const linearOf = (values: readonly number[]) =>
  scaleLinear([0, Math.max(1, ...values)], [height, 0]).nice(2)

/** Lengths that a reader has a feeling for, in milliseconds. */
const knownLengths = [
  1, 10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000, 604_800_000,
]

/** From one of them to another. */
function logOf(values: readonly number[]) {
  const [shortest, longest] =
    values.length === 0 ? [10, 1000] : [Math.min(...values), Math.max(...values)]
  const least = knownLengths.findLast((length) => length <= shortest) ?? 1
  const most = knownLengths.find((length) => length >= longest && length > least) ?? longest
  return scaleLog([least, most], [height, 0]).clamp(true)
}

const written = {
  clock: new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
}

interface TimeAxisProps {
  /** Epoch milliseconds. */
  from: number
  until: number
}

/**
 * For ranges above a day, days are more useful than hours. The script writes them in the
 * operator's zone.
 */
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
