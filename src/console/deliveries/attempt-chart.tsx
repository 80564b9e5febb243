import { scaleBand, scaleLinear } from 'd3-scale'
import styles from '#console/charts/chart.module.css'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import type { AttemptChartBar, AttemptChartData } from '#domain/delivery/deliveries-view.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import { formatCallDuration, formatDuration } from '#domain/text/time-formats.ts'

/** The outcomes that the chart stacks in each bar, from the bottom up. */
const outcomes = [
  { outcome: 'delivered', name: 'Accepted', kind: 'well' },
  { outcome: 'rejected', name: 'Rejected', kind: 'note' },
  { outcome: 'failed', name: 'Failed', kind: 'problem' },
] as const

const columns: readonly Column<AttemptChartBar>[] = [
  { heading: 'From', cell: ({ from }) => <Timestamp at={from} /> },
  ...outcomes.map(({ outcome, name }) =>
    makeNumberColumn<AttemptChartBar>(name, (bar) => bar[outcome]),
  ),
]

const sumAttempts = ({ delivered, rejected, failed }: AttemptChartData['total']): number =>
  delivered + rejected + failed

export function AttemptChart({ bars, barMs, total, latency }: AttemptChartData) {
  const from = bars[0]?.from ?? 0
  const until = from + bars.length * barMs
  const each = formatDuration(barMs)
  const totals = outcomes.map(
    ({ outcome, name }) => `${name.toLowerCase()} ${formatNumber(total[outcome])}`,
  )
  return (
    <>
      <figure className={styles.chart} aria-label="Attempts">
        <figcaption>
          Attempts <strong>{formatNumber(sumAttempts(total))}</strong> in the last 24 hours, in bars
          of {each}
        </figcaption>
        <ul className={styles.legend}>
          {outcomes.map(({ outcome, name, kind }) => (
            <li key={outcome} data-kind={kind}>
              {name} <b>{formatNumber(total[outcome])}</b>
            </li>
          ))}
        </ul>
        <div className={styles.plot} role="img" aria-label={`Attempts: ${totals.join(', ')}.`}>
          <ChartBars bars={bars} />
        </div>
        <p className={styles.axis}>
          {[from, (from + until) / 2, until].map((at) => (
            <Timestamp key={at} at={at} format="clock" />
          ))}
        </p>
      </figure>
      <details className={styles.table}>
        <summary>Latency and counts per {each}</summary>
        {latency.calls > 0 && (
          <p>
            Latest {pluralize(latency.calls, 'call')} to the distributor: median{' '}
            {formatCallDuration(latency.medianMs)}, 95th percentile{' '}
            {formatCallDuration(latency.p95Ms)}.
          </p>
        )}
        <DataTable
          name="Delivery results"
          columns={columns}
          rows={[...bars].reverse()}
          empty="No delivery attempts yet."
        />
      </details>
    </>
  )
}

/** The chart's width and height in SVG units. CSS stretches the chart to the available space. */
const width = 1000
const height = 100

function ChartBars({ bars }: { bars: readonly AttemptChartBar[] }) {
  const x = scaleBand(
    bars.map(({ from }) => from),
    [0, width],
  ).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(1, ...bars.map(sumAttempts))], [height, 0]).nice(2)
  return (
    <>
      <span className={styles.top}>{formatNumber(y.domain()[1] ?? 0)}</span>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, height / 2, height].map((at) => (
          <line key={at} className={styles.grid} x1={0} x2={width} y1={at} y2={at} />
        ))}
        {bars.flatMap((bar) => {
          let top = height
          return outcomes.map(({ outcome, kind }) => {
            const size = height - y(bar[outcome])
            top -= size
            return (
              size > 0 && (
                <rect
                  key={`${bar.from} ${outcome}`}
                  className={styles[kind]}
                  x={x(bar.from)}
                  y={roundToTenth(top)}
                  width={roundToTenth(x.bandwidth())}
                  height={roundToTenth(size)}
                />
              )
            )
          })
        })}
      </svg>
      <span className={styles.bottom}>0</span>
    </>
  )
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10
