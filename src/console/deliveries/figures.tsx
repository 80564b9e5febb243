import type { DeliveryFigures, FiguresBar } from '#domain/delivery/deliveries-view.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { Chart } from '../charts/chart.tsx'
import styles from '../charts/charts.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'

const number = (value: number): string => value.toLocaleString('en-US')

const outcomes = [
  { of: 'delivered', name: 'Accepted', kind: 'well' },
  { of: 'rejected', name: 'Rejected', kind: 'note' },
  { of: 'failed', name: 'Failed', kind: 'problem' },
] as const

const columns: readonly Column<FiguresBar>[] = [
  { heading: 'From', cell: ({ from }) => <Moment at={from} /> },
  ...outcomes.map(({ of, name }) => ({
    heading: name,
    isNumber: true,
    cell: (bar: FiguresBar) => number(bar[of]),
  })),
]

/** Charts the attempts of the last 24 hours, above a table of the same counts. */
export function Figures({ figures }: { figures: DeliveryFigures }) {
  const { bars, barMs, total, latency } = figures
  const from = bars[0]?.from ?? 0
  const each = formatDuration(barMs)
  const totals = outcomes.map(({ of, name }) => `${name.toLowerCase()} ${number(total[of])}`)
  return (
    <>
      <Chart
        from={from}
        until={from + bars.length * barMs}
        name="Attempts"
        headline={number(total.delivered + total.rejected + total.failed)}
        note={`in the last 24 hours, in bars of ${each}`}
        description={`Attempts: ${totals.join(', ')}.`}
        series={outcomes.map(({ of, ...one }) => ({
          ...one,
          values: bars.map((bar) => bar[of]),
        }))}
      />
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
          empty="Nothing is counted yet."
        />
      </details>
    </>
  )
}
