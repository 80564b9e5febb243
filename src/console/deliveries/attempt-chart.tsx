import styles from '#console/charts/chart.module.css'
import { BarPlot, ChartFigure, ChartTable } from '#console/charts/chart-figure.tsx'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import type { AttemptChartData, AttemptCounts } from '#domain/delivery/deliveries-view.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import { formatCallDuration, formatDuration } from '#domain/text/time-formats.ts'

/** The outcomes that the chart stacks in each bar, from the bottom up. */
const outcomes = [
  { outcome: 'delivered', name: 'Accepted', kind: 'well' },
  { outcome: 'rejected', name: 'Rejected', kind: 'note' },
  { outcome: 'failed', name: 'Failed', kind: 'problem' },
] as const

const columns: readonly Column<AttemptCounts & { readonly from?: number }>[] = [
  {
    heading: 'From',
    isUnlabeled: true,
    cell: ({ from }) => (from === undefined ? 'Total' : <Timestamp at={from} />),
    value: ({ from }) => from,
    isTime: true,
  },
  ...outcomes.map(({ outcome, name }) =>
    makeNumberColumn<AttemptCounts>(name, (counts) => counts[outcome]),
  ),
]

const describeCounts = (counts: AttemptCounts): string =>
  outcomes
    .map(({ outcome, name }) => `${name.toLowerCase()} ${formatNumber(counts[outcome])}`)
    .join(', ')

export function AttemptChart({ bars, barMs, total, latency }: AttemptChartData) {
  const from = bars[0]?.from ?? 0
  const until = from + bars.length * barMs
  const calls = `Latest ${pluralize(latency.calls, 'call')} to the distributor: median ${formatCallDuration(latency.medianMs)}, 95th percentile ${formatCallDuration(latency.p95Ms)}.`
  return (
    <>
      <ChartFigure
        name="Attempts"
        value={formatNumber(total.delivered + total.rejected + total.failed)}
        summary={`In the last 24 hours, in bars of ${formatDuration(barMs)}: ${describeCounts(total)}. ${latency.calls > 0 ? calls : ''}`}
      >
        <ul className={styles.legend} aria-hidden="true">
          {outcomes.map(({ name, kind }) => (
            <li key={name} data-kind={kind}>
              {name}
            </li>
          ))}
        </ul>
        <BarPlot
          bars={bars.map((bar) => ({
            key: bar.from,
            title: describeCounts(bar),
            parts: outcomes.map(({ outcome, kind }) => [bar[outcome], styles[kind]] as const),
          }))}
          axis={[from, (from + until) / 2, until].map((at) => (
            <Timestamp key={at} at={at} format="clock" />
          ))}
        />
      </ChartFigure>
      <ChartTable name="Delivery results">
        <SortableTable
          name="Delivery results"
          columns={columns}
          rows={[...bars].reverse()}
          total={total}
          empty="No delivery attempts yet."
        />
      </ChartTable>
    </>
  )
}
