import { BarChart, LineChart } from '../charts/chart.tsx'
import styles from '../charts/charts.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { durationInWords, Moment } from '../shell/times.tsx'
import type { ShownBar, ShownDeliveries, ShownFigures } from './shown-deliveries.ts'

const number = (value: number): string => value.toLocaleString('en-US')
const length = (ms: number | undefined | null): string =>
  ms === undefined || ms === null ? '–' : durationInWords(roundly(ms))

/** What is read from a histogram is not that exact. */
const roundly = (ms: number): number => (ms < 1000 ? Number(ms.toPrecision(2)) : ms)

const lengths = (of: ShownBar['waits']): string =>
  of === undefined ? '–' : `${length(of.median)}, ${length(of.slow)}`

const columns: readonly Column<ShownBar>[] = [
  { heading: 'From', cell: ({ from }) => <Moment at={from} /> },
  { heading: 'Delivered', isNumber: true, cell: ({ delivered }) => number(delivered) },
  { heading: 'Rejected', isNumber: true, cell: ({ rejected }) => number(rejected) },
  { heading: 'Failed', isNumber: true, cell: ({ failed }) => number(failed) },
  { heading: 'To delivered', isNumber: true, cell: ({ waits }) => lengths(waits) },
  { heading: 'A call', isNumber: true, cell: ({ calls }) => lengths(calls) },
  {
    heading: 'Waiting',
    isNumber: true,
    cell: ({ waiting }) => (waiting === null ? '–' : number(waiting)),
  },
  { heading: 'The oldest', isNumber: true, cell: ({ oldestMs }) => length(oldestMs) },
]

interface FiguresProps {
  figures: ShownFigures
  backlog: ShownDeliveries['backlog']
  now: number
}

/** What came of deliveries: each drawing says it in a sentence, and one table has all their figures. */
export function Figures({ figures, backlog, now }: FiguresProps) {
  const { bars, barMs, total } = figures
  const from = bars[0]?.from ?? now
  const span = { from, until: from + bars.length * barMs }
  const each = durationInWords(barMs)
  return (
    <>
      <div className={styles.charts}>
        {counts.map(({ of, name, kind }) => {
          const values = bars.map((bar) => bar[of])
          const note = `at most ${number(Math.max(...values))} in ${each}`
          const headline = number(total[of])
          const said = `${name}: ${headline} in all, ${note}.`
          return <BarChart key={of} {...{ ...span, name, kind, values, headline, note, said }} />
        })}
        <Lengths {...span} bars={bars} of="waits" name="Received to delivered" />
        <Lengths {...span} bars={bars} of="calls" name="A call of the distributor" />
        <Waiting {...span} bars={bars} backlog={backlog} />
      </div>
      <details className={styles.table}>
        <summary>The same as a table, {each} a row</summary>
        <p>
          From received to delivered, and a call: so long took half of them at most, and 95 in 100.
          Waiting, and the oldest of them: as the time ended.
        </p>
        <DataTable
          name="What came of deliveries"
          columns={columns}
          rows={bars.toReversed()}
          keyOf={({ from }) => String(from)}
          empty="Nothing is counted yet."
        />
      </details>
    </>
  )
}

const counts = [
  { of: 'delivered', name: 'Delivered', kind: 'well' },
  { of: 'rejected', name: 'Rejected', kind: 'note' },
  { of: 'failed', name: 'Failed attempts', kind: 'problem' },
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
    last === undefined
      ? 'there was none'
      : `or less, half of them; 95 in 100 (dashed): ${length(last.slow)}`
  return (
    <LineChart
      {...{ ...span, name, headline, note }}
      said={`${name}: ${headline}, ${note}.`}
      areLengths
      inWords={durationInWords}
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
  const note = `now; at most ${number(Math.max(...values.map((value) => value ?? 0)))}`
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
