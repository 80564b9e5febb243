import { scaleBand, scaleLinear } from 'd3-scale'
import type { AttemptChartBar, AttemptChartData } from '#domain/delivery/deliveries-view.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Timestamp } from '../shell/times.tsx'
import styles from './figures.module.css'

const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** The outcomes that the chart stacks in each bar, from the bottom up. */
const outcomes = [
  { of: 'delivered', name: 'Accepted', kind: 'well' },
  { of: 'rejected', name: 'Rejected', kind: 'note' },
  { of: 'failed', name: 'Failed', kind: 'problem' },
] as const

const columns: readonly Column<AttemptChartBar>[] = [
  { heading: 'From', cell: ({ from }) => <Timestamp at={from} /> },
  ...outcomes.map(({ of, name }) => ({
    heading: name,
    isNumber: true,
    cell: (bar: AttemptChartBar) => formatNumber(bar[of]),
  })),
]

type Counts = AttemptChartData['total']

const sumCounts = ({ delivered, rejected, failed }: Counts): number => delivered + rejected + failed

export function AttemptChart({ figures }: { figures: AttemptChartData }) {
  const { bars, barMs, total, latency } = figures
  const from = bars[0]?.from ?? 0
  const until = from + bars.length * barMs
  const each = formatDuration(barMs)
  const totals = outcomes.map(({ of, name }) => `${name.toLowerCase()} ${formatNumber(total[of])}`)
  return (
    <>
      <figure className={styles.chart} aria-label="Attempts">
        <figcaption>
          Attempts <strong>{formatNumber(sumCounts(total))}</strong> in the last 24 hours, in bars
          of {each}
        </figcaption>
        <ul className={styles.legend}>
          {outcomes.map(({ of, name, kind }) => (
            <li key={of} data-kind={kind}>
              {name} <b>{formatNumber(total[of])}</b>
            </li>
          ))}
        </ul>
        <div className={styles.plot} role="img" aria-label={`Attempts: ${totals.join(', ')}.`}>
          <ChartBars bars={bars} />
        </div>
        <p className={styles.axis}>
          {[from, (from + until) / 2, until].map((at) => (
            <Timestamp key={at} at={at} as="clock" />
          ))}
        </p>
      </figure>
      <details className={styles.table}>
        <summary>Latency and counts per {each}</summary>
        {latency.calls > 0 && (
          <p>
            Latest {pluralize(latency.calls, 'call')} to the distributor: median{' '}
            {formatDuration(latency.medianMs)}, 95th percentile {formatDuration(latency.p95Ms)}.
          </p>
        )}
        <DataTable
          name="Delivery results"
          columns={columns}
          rows={bars.toReversed()}
          keyOf={({ from }) => String(from)}
          empty="No delivery attempts yet."
        />
      </details>
    </>
  )
}

/** The size of the chart's coordinate system. The page stretches the chart to the available space. */
const width = 1000
const height = 100

function ChartBars({ bars }: { bars: readonly AttemptChartBar[] }) {
  const x = scaleBand(
    bars.map(({ from }) => from),
    [0, width],
  ).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(1, ...bars.map(sumCounts))], [height, 0]).nice(2)
  return (
    <>
      <span className={styles.top}>{formatNumber(y.domain()[1] ?? 0)}</span>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, height / 2, height].map((at) => (
          <line key={at} className={styles.grid} x1={0} x2={width} y1={at} y2={at} />
        ))}
        {bars.flatMap((bar) => {
          let top = height
          return outcomes.map(({ of, kind }) => {
            const size = height - y(bar[of])
            top -= size
            return (
              size > 0 && (
                <rect
                  key={`${bar.from} ${of}`}
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
