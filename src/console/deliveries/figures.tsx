import type { DeliveriesView, FiguresBar } from '#domain/delivery/deliveries-view.ts'
import { Chart } from '../charts/chart.tsx'
import styles from '../charts/charts.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'

const number = (value: number): string => value.toLocaleString('en-US')

/** Formats the median and the 95th percentile. Both are approximate, as they come from a histogram. */
const latency = (of: FiguresBar['waits']): string =>
  of === undefined
    ? '–'
    : `${formatDuration(roundLongDuration(of.median))}, ${formatDuration(roundLongDuration(of.slow))}`

const roundLongDuration = (ms: number): number => (ms < 1000 ? Number(ms.toPrecision(2)) : ms)

const columns: readonly Column<FiguresBar>[] = [
  { heading: 'From', cell: ({ from }) => <Moment at={from} /> },
  { heading: 'Accepted', isNumber: true, cell: ({ delivered }) => number(delivered) },
  { heading: 'Rejected', isNumber: true, cell: ({ rejected }) => number(rejected) },
  { heading: 'Failed', isNumber: true, cell: ({ failed }) => number(failed) },
  { heading: 'To acceptance', isNumber: true, cell: ({ waits }) => latency(waits) },
  { heading: 'Call', isNumber: true, cell: ({ calls }) => latency(calls) },
  {
    heading: 'Waiting',
    isNumber: true,
    cell: ({ waiting }) => (waiting === null ? '–' : number(waiting)),
  },
  {
    heading: 'Oldest',
    isNumber: true,
    cell: ({ oldestMs }) => (oldestMs === null ? '–' : formatDuration(roundLongDuration(oldestMs))),
  },
]

const outcomes = [
  { of: 'delivered', name: 'Accepted', kind: 'well' },
  { of: 'rejected', name: 'Rejected', kind: 'note' },
  { of: 'failed', name: 'Failed', kind: 'problem' },
] as const

/** Charts the attempts and the backlog, above a table that also has latencies. */
export function Figures({ view }: { view: DeliveriesView }) {
  const { figures, backlog, now } = view
  const { bars, barMs, total } = figures
  const from = bars[0]?.from ?? now
  const span = { from, until: from + bars.length * barMs }
  const each = formatDuration(barMs)
  const totals = outcomes.map(({ of, name }) => `${name.toLowerCase()} ${number(total[of])}`)
  const { count } = backlog.waiting
  const waiting = bars.map((bar, index) => (index === bars.length - 1 ? count : bar.waiting))
  const maxWaiting = number(Math.max(0, ...waiting.map((value) => value ?? 0)))
  return (
    <>
      <div className={styles.charts}>
        <Chart
          {...span}
          name="Attempts"
          headline={number(total.delivered + total.rejected + total.failed)}
          note={`in bars of ${each}`}
          description={`Attempts: ${totals.join(', ')}.`}
          series={outcomes.map(({ of, ...one }) => ({
            ...one,
            values: bars.map((bar) => bar[of]),
          }))}
        />
        <Chart
          {...span}
          name="Waiting"
          headline={number(count)}
          note={`now, at most ${maxWaiting}`}
          description={`Waiting: ${number(count)} now, at most ${maxWaiting}.`}
          series={[{ name: 'Waiting', kind: 'note', values: waiting }]}
        />
      </div>
      <details className={styles.table}>
        <summary>Latency and backlog, one row for {each}</summary>
        <p>
          Latencies are the median and the 95th percentile: from receipt to acceptance, and of each
          call to the distributor. The backlog is counted at the end of each row’s time.
        </p>
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
