import { scaleLinear } from 'd3-scale'
import {
  describeAcceptanceRate,
  type findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import { formatShare } from '#domain/text/formats.ts'
import { ChartFigure, roundToTenth } from './chart-figure.tsx'
import styles from './interval-chart.module.css'

interface IntervalRow {
  readonly name: string
  readonly href: string
  readonly leads: number
  readonly rate: ReturnType<typeof findAcceptanceRate>
}

/** With more rows, the chart would hide the table below it. */
const maxRows = 20

/** Shows each affiliate's acceptance rate as a dot on its interval, the lowest rate first, beside the rate of all. */
export function IntervalChart({
  rows,
  all,
}: {
  rows: readonly IntervalRow[]
  all: IntervalRow['rate']
}) {
  const known = rows.flatMap(({ rate, ...row }) => (rate ? [{ ...row, rate }] : []))
  const shown = known
    .toSorted((one, other) => other.leads - one.leads)
    .slice(0, maxRows)
    .toSorted((one, other) => one.rate.share - other.rate.share)
  const [lowest] = shown
  if (lowest === undefined) {
    return <p>No affiliate has ten accepted or rejected leads on these days: no rate to draw.</p>
  }
  const low = Math.min(...shown.map(({ rate }) => rate.low), all?.low ?? 1)
  const [start = 0] = scaleLinear([low, 1], [0, 1]).nice(5).domain()
  const x = scaleLinear([start, 1], [1, 99])
  const toX = (share: number) => `${roundToTenth(x(share))}%`
  const below = shown.filter(({ rate }) => all !== undefined && rate.high < all.share)
  const which =
    known.length > maxRows
      ? `The ${maxRows} affiliates with the most leads, the lowest rate first. `
      : 'The lowest rate first. '
  return (
    <ChartFigure
      name="Acceptance by affiliate"
      value={describeAcceptanceRate(all)}
      summary={`${which}A dot is the rate, and the line its interval; the dashed line is the rate of all affiliates. ${
        below.length === 0
          ? 'No whole interval is below that rate.'
          : `With the whole interval below that rate: ${below.map(({ name }) => name).join(', ')}.`
      }`}
    >
      <ul className={styles.rows}>
        {shown.map(({ name, href, rate }) => (
          <li key={href} data-below={below.some((one) => one.href === href) || undefined}>
            <a href={href}>{name}</a>
            <svg aria-hidden="true">
              {all && (
                <line
                  className={styles.all}
                  x1={toX(all.share)}
                  x2={toX(all.share)}
                  y1="0"
                  y2="100%"
                />
              )}
              <line
                className={styles.interval}
                x1={toX(rate.low)}
                x2={toX(rate.high)}
                y1="50%"
                y2="50%"
              />
              <circle cx={toX(rate.share)} cy="50%" r="5" />
            </svg>
            <span>{describeAcceptanceRate(rate, true)}</span>
          </li>
        ))}
        <li aria-hidden="true" className={styles.axis}>
          <span />
          <p>
            <span>{formatShare(start, 1)}</span>
            <span>100%</span>
          </p>
        </li>
      </ul>
    </ChartFigure>
  )
}
