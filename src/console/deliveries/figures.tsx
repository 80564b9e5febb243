import { LineChart, StackedBarChart } from '../charts/chart.tsx'
import styles from '../charts/charts.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import type { ShownBar, ShownDeliveries, ShownFigures } from './shown-deliveries.ts'

const number = (value: number): string => value.toLocaleString('en-US')
const length = (ms: number | undefined | null): string =>
  ms === undefined || ms === null ? '–' : formatDuration(roundly(ms))

/** A histogram gives only approximate values. */
const roundly = (ms: number): number => (ms < 1000 ? Number(ms.toPrecision(2)) : ms)

const lengths = (of: ShownBar['waits']): string =>
  of === undefined ? '–' : `${length(of.median)}, ${length(of.slow)}`

const columns: readonly Column<ShownBar>[] = [
  { heading: 'From', cell: ({ from }) => <Moment at={from} /> },
  { heading: 'Accepted', isNumber: true, cell: ({ delivered }) => number(delivered) },
  { heading: 'Rejected', isNumber: true, cell: ({ rejected }) => number(rejected) },
  { heading: 'Failed', isNumber: true, cell: ({ failed }) => number(failed) },
  { heading: 'To acceptance', isNumber: true, cell: ({ waits }) => lengths(waits) },
  { heading: 'Call', isNumber: true, cell: ({ calls }) => lengths(calls) },
  {
    heading: 'Waiting',
    isNumber: true,
    cell: ({ waiting }) => (waiting === null ? '–' : number(waiting)),
  },
  { heading: 'Oldest', isNumber: true, cell: ({ oldestMs }) => length(oldestMs) },
]

interface FiguresProps {
  figures: ShownFigures
  backlog: ShownDeliveries['backlog']
  now: number
}

/** Each chart has a sentence for screen readers, and one table has all figures. */
export function Figures({ figures, backlog, now }: FiguresProps) {
  const { bars, barMs, total } = figures
  const from = bars[0]?.from ?? now
  const span = { from, until: from + bars.length * barMs }
  const each = formatDuration(barMs)
  return (
    <>
      <div className={styles.charts}>
        <StackedBarChart
          {...span}
          name="Attempts"
          headline={number(total.delivered + total.rejected + total.failed)}
          note={`in bars of ${each}`}
          said={`Attempts: ${outcomes.map(({ of, name }) => `${name.toLowerCase()} ${number(total[of])}`).join(', ')}.`}
          series={outcomes.map(({ of, name, kind }) => ({
            name,
            kind,
            values: bars.map((bar) => bar[of]),
          }))}
        />
        <Waiting {...span} bars={bars} backlog={backlog} />
      </div>
      <details className={styles.latency}>
        <summary>Latency</summary>
        <div className={styles.charts}>
          <Lengths {...span} bars={bars} of="waits" name="From receipt to acceptance" />
          <Lengths {...span} bars={bars} of="calls" name="Calls to the distributor" />
        </div>
      </details>
      <details className={styles.table}>
        <summary>Table, one row for {each}</summary>
        <p>
          Latencies are the median and the 95th percentile. The backlog is counted at the end of
          each row’s time.
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

const outcomes = [
  { of: 'delivered', name: 'Accepted', kind: 'well' },
  { of: 'rejected', name: 'Rejected', kind: 'note' },
  { of: 'failed', name: 'Failed', kind: 'problem' },
] as const

interface SpanProps {
  bars: readonly ShownBar[]
  from: number
  until: number
}

function Lengths({ bars, of, name, ...span }: SpanProps & { of: 'waits' | 'calls'; name: string }) {
  const last = bars.findLast((bar) => bar[of] !== undefined)?.[of]
  const headline = length(last?.median)
  const note =
    last === undefined ? 'no data' : `median; 95th percentile ${length(last.slow)} (dashed)`
  return (
    <LineChart
      {...{ ...span, name, headline, note }}
      said={`${name}: ${headline}, ${note}.`}
      areLengths
      inWords={formatDuration}
      lines={[
        { stroke: 'whole', values: bars.map((bar) => bar[of]?.median ?? null) },
        { stroke: 'dashed', values: bars.map((bar) => bar[of]?.slow ?? null) },
      ]}
    />
  )
}

function Waiting({ bars, backlog, ...span }: SpanProps & Pick<FiguresProps, 'backlog'>) {
  const { count } = backlog.waiting
  const values = bars.map(({ waiting }, index) => (index === bars.length - 1 ? count : waiting))
  const headline = number(count)
  const note = `now, at most ${number(Math.max(...values.map((value) => value ?? 0)))}`
  return (
    <LineChart
      {...{ ...span, headline, note }}
      name="Waiting"
      said={`Waiting: ${headline} ${note}.`}
      inWords={number}
      lines={[{ stroke: 'whole', values }]}
    />
  )
}
