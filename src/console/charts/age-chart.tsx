import { makeNumberColumn } from '#console/shell/data-table.tsx'
import { SortableTable, toShare } from '#console/shell/sortable-table.tsx'
import { formatNumber, formatShare, pluralize } from '#domain/text/formats.ts'
import type { ReturnAge } from '#server/measuring/funnel-reader.ts'
import chart from './chart.module.css'
import { BarPlot, ChartFigure, ChartTable } from './chart-figure.tsx'

/** The widths of bars in days, of which the first that needs few enough bars is used. */
const widths = [1, 7, 30, 90]
const maxBars = 45
/** Fewer bars would be too wide to compare. */
const minBars = 7

interface AgeBar {
  /** The first and the last number of days; undefined for the totals. */
  readonly from?: number
  readonly to?: number
  readonly returns: number
}

const describeAge = ({ from, to = 0 }: AgeBar): string =>
  from === undefined
    ? 'Total'
    : from === to
      ? pluralize(from, 'day')
      : `${from}–${pluralize(to, 'day')}`

/** Shows how many days after its acceptance a lead was returned. */
export function AgeChart({ ages }: { ages: readonly ReturnAge[] }) {
  const returns = ages.reduce((sum, age) => sum + age.returns, 0)
  if (returns === 0) return <p>No return was recorded on these days.</p>
  const oldest = Math.max(...ages.map(({ days }) => days))
  const width = widths.find((days) => (oldest + 1) / days <= maxBars) ?? 365
  const bars = Array.from(
    { length: Math.max(minBars, Math.ceil((oldest + 1) / width)) },
    (_, at) => {
      const [from, to] = [at * width, (at + 1) * width - 1]
      const found = ages.filter(({ days }) => days >= from && days <= to)
      return { from, to, returns: found.reduce((sum, age) => sum + age.returns, 0) }
    },
  )
  return (
    <>
      <ChartFigure
        name="Returns by age"
        value={formatNumber(returns)}
        summary={`Recorded on these days, whenever the leads were received. Half of them came within ${pluralize(findMedianAge(ages, returns), 'day')} after the acceptance, the latest after ${pluralize(oldest, 'day')}.`}
      >
        <BarPlot
          bars={bars.map((bar) => ({
            key: bar.from,
            title: `${describeAge(bar)}: ${formatNumber(bar.returns)}`,
            parts: [[bar.returns, chart.bar]],
          }))}
          axis={[bars[0], bars.at(-1)].map((bar) => bar && describeAge(bar))}
        />
      </ChartFigure>
      <ChartTable name="Returns by age">
        <SortableTable
          name="Returns by age"
          columns={[
            {
              heading: 'Age',
              isUnlabeled: true,
              cell: describeAge,
              value: ({ from }: AgeBar) => from,
            },
            makeNumberColumn('Returns', (bar: AgeBar) => bar.returns),
            makeNumberColumn(
              'Share',
              (bar: AgeBar) => formatShare(bar.returns, returns),
              (bar) => toShare(bar.returns, returns),
            ),
          ]}
          rows={bars.filter((bar) => bar.returns > 0)}
          total={{ returns }}
        />
      </ChartTable>
    </>
  )
}

/** Finds the age that half of the returns don't exceed. @param ages in ascending order */
function findMedianAge(ages: readonly ReturnAge[], returns: number): number {
  let counted = 0
  for (const age of ages) {
    counted += age.returns
    if (counted >= returns / 2) return age.days
  }
  return 0
}
