import { scaleBand, scaleLinear } from 'd3-scale'
import styles from './charts.module.css'

/** The size of the chart's coordinate system. The drawing is stretched to the space that the page has for it. */
const width = 1000
const height = 100

interface ChartProps {
  name: string
  headline: string
  note: string
  description: string
  /** The start of the chart, in epoch milliseconds. */
  from: number
  until: number
  /** The series of the stacked bars, from the bottom up. Values are sorted oldest first. */
  series: readonly {
    readonly name: string
    readonly kind: 'well' | 'note' | 'problem'
    readonly values: readonly number[]
  }[]
}

/** Draws stacked bars. A table below the chart contains their figures. */
export function Chart(props: ChartProps) {
  const { name, headline, note, description, from, until, series } = props
  const bars = (series[0]?.values ?? []).map((_, index) =>
    series.map((one) => one.values[index] ?? 0),
  )
  const x = scaleBand(bars.keys(), [0, width]).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(1, ...bars.map(sumOf))], [height, 0]).nice(2)
  return (
    <figure className={styles.chart} aria-label={name}>
      <figcaption>
        {name} <strong>{headline}</strong> {note}
      </figcaption>
      <ul className={styles.legend}>
        {series.map((one) => (
          <li key={one.name} data-kind={one.kind}>
            {one.name} <b>{sumOf(one.values).toLocaleString('en-US')}</b>
          </li>
        ))}
      </ul>
      <div className={styles.plot} role="img" aria-label={description}>
        <span className={styles.top}>{y.domain()[1]?.toLocaleString('en-US')}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, height / 2, height].map((at) => (
            <line key={at} className={styles.grid} x1={0} x2={width} y1={at} y2={at} />
          ))}
          {bars.map((values, index) =>
            values.map((value, level) => {
              const below = sumOf(values.slice(0, level))
              const { name: key, kind } = series[level] ?? {}
              return (
                value > 0 && (
                  <rect
                    key={`${x(index)} ${key}`}
                    className={kind && styles[kind]}
                    x={x(index)}
                    y={round(y(below + value))}
                    width={round(x.bandwidth())}
                    height={round(y(below) - y(below + value))}
                  />
                )
              )
            }),
          )}
        </svg>
        <span className={styles.bottom}>0</span>
      </div>
      <TimeAxis from={from} until={until} />
    </figure>
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const round = (value: number): number => Math.round(value * 10) / 10

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' })

/** Labels the axis with times of day, which the page's script writes in the operator's time zone. */
const TimeAxis = ({ from, until }: { from: number; until: number }) => (
  <p className={styles.axis}>
    {[from, (from + until) / 2, until].map((at) => {
      const exact = new Date(at).toISOString()
      return (
        <time key={at} dateTime={exact} title={exact} data-as="clock">
          {clock.format(at)}
        </time>
      )
    })}
  </p>
)
