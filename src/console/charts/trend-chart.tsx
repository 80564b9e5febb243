import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { Fragment } from 'react'
import { formatQueryString } from '#console/leads/read-filter.ts'
import type { RangePickerProps } from '#console/ranges/range-picker.tsx'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { makeMoneyColumn, SortableTable, toShare } from '#console/shell/sortable-table.tsx'
import { formatDay } from '#domain/calendar.ts'
import { describeAcceptanceRate } from '#domain/measuring/funnel-figures.ts'
import type { PeriodUnit } from '#domain/measuring/periods.ts'
import { describeShortDay, describeSpan } from '#domain/measuring/trend.ts'
import {
  capitalize,
  formatCompactDollars,
  formatDollars,
  formatNumber,
  formatShare,
} from '#domain/text/formats.ts'
import type { Trend, TrendMeasures, TrendPoint } from '#server/measuring/read-trend.ts'
import chart from './chart.module.css'
import {
  ChartFigure,
  ChartTable,
  Plot,
  plotHeight,
  plotWidth,
  roundToTenth,
} from './chart-figure.tsx'
import styles from './trend-chart.module.css'

interface Measure {
  readonly name: string
  readonly key: keyof TrendMeasures
  /** Undefined if nothing is known at the point. */
  readonly value: (of: Partial<TrendMeasures>) => number | undefined
  readonly format: (value: number) => string
  readonly formatTick?: (value: number) => string
  /** The value of the range, if its format differs from the points'. */
  readonly total?: (of: Partial<TrendMeasures>) => string
  /** The interval around the value. */
  readonly band?: (
    of: Partial<TrendMeasures>,
  ) => { readonly low: number; readonly high: number } | undefined
  /** Whether the values are US cents. */
  readonly isMoney?: boolean
  /** Says in a sentence what the value of the range consists of. */
  readonly describeParts?: (of: TrendMeasures) => string
}

const formatPercent = (share: number) => formatShare(share, 1)

const acceptance: Measure = {
  name: 'Acceptance rate',
  key: 'rate',
  value: ({ rate }) => (rate && toShare(rate.share, 1)) ?? undefined,
  format: (share) => `${Math.round(share * 100)}%`,
  formatTick: formatPercent,
  total: ({ rate }) => describeAcceptanceRate(rate),
  band: ({ rate }) => rate,
}

const makeMeasures = ({ hasVisits, hasAnswers, hasSpend }: Trend): readonly Measure[] => {
  const count = (name: string, key: 'visits' | 'leads' | 'accepted'): Measure => ({
    ...{ name, key, value: (of) => of[key], format: formatNumber },
  })
  return [
    ...(hasVisits ? [count('Visits', 'visits')] : []),
    count('Leads', 'leads'),
    ...(hasAnswers
      ? [count('Accepted leads', 'accepted'), acceptance, makeMarginMeasure(hasSpend)]
      : []),
  ]
}

const makeMarginMeasure = (hasSpend: boolean): Measure => ({
  name: hasSpend ? 'Margin' : 'Margin before ad spend',
  key: 'marginCents',
  isMoney: true,
  value: ({ marginCents }) => marginCents ?? undefined,
  format: formatDollars,
  formatTick: formatCompactDollars,
  describeParts: ({ revenueCents, owedCents, spendCents }) => {
    const parts = [
      ['revenue', revenueCents],
      ['owed', owedCents],
      ['ad spend', hasSpend ? spendCents : null],
    ] as const
    const known = parts.flatMap(([name, cents]) =>
      cents === null ? [] : [`${name} ${formatDollars(cents)}`],
    )
    return known.length === 0 ? '' : `${capitalize(known.join(', '))}.`
  },
})

type TrendRow = TrendMeasures & Partial<TrendPoint>

const makeColumns = (trend: Trend): readonly Column<TrendRow>[] => [
  {
    heading: capitalize(trend.unit),
    isUnlabeled: true,
    cell: ({ first, last, isWhole = true }) =>
      first === undefined || last === undefined
        ? 'Total'
        : describeSpan({ first, last, isWhole }, trend.unit),
    value: ({ first }) => (first === undefined ? null : formatDay(first)),
  },
  ...makeMeasures(trend).map(({ name, value, format, total, isMoney }) =>
    isMoney
      ? makeMoneyColumn<TrendRow>(name, (row) => value(row) ?? null)
      : makeNumberColumn<TrendRow>(
          name,
          (row) => {
            const known = value(row)
            return known !== undefined && (total?.(row) ?? format(known))
          },
          value,
        ),
  ),
]

interface TrendChartProps {
  trend: Trend
  range: Pick<RangePickerProps, 'path' | 'given'>
  /** What is known of the compared period, if no table below the lines has it all. */
  before?: Partial<TrendMeasures> | undefined
}

/** Shows each measure of a range as a line over its days, weeks or months, and all of them in a table. */
export function TrendChart({ trend, range, before = {} }: TrendChartProps) {
  const { unit, units, points } = trend
  const others = units.filter((other) => other !== unit)
  const { visits, leads, accepted, marginCents } = trend.total
  // Ad spend or a late return makes a loss even on days without a visit or a lead.
  if (visits + leads + accepted === 0 && marginCents === 0) {
    return <p>No visit and no lead on these days, so there is no line to draw.</p>
  }
  const measures = makeMeasures(trend)
  const drawn = measures.filter((measure) => hasLine(points, measure))
  const shown = drawn.length === 0 ? measures : drawn
  return (
    <>
      <p className={styles.units} id="lines">
        By {unit}
        {others.map((other, index) => (
          <Fragment key={other}>
            {index === 0 ? '. Show by ' : ' or '}
            <a href={makeUnitUrl(range, other)}>{other}</a>
          </Fragment>
        ))}
        .
      </p>
      <div className={styles.trend}>
        {shown.map((measure) => (
          <MeasureLine key={measure.name} {...{ trend, measure, before }} />
        ))}
      </div>
      {measures
        .filter((measure) => !shown.includes(measure))
        .map((measure) => (
          <p key={measure.name}>
            {measure.name}: {describeTotal(trend.total, measure)}.{' '}
            {summarize(trend, measure, before)}
          </p>
        ))}
      {points.length > 1 && (
        <ChartTable name={`Numbers by ${unit}`}>
          <SortableTable
            name={`Numbers by ${unit}`}
            columns={makeColumns(trend)}
            rows={[...points].reverse()}
            total={trend.total}
          />
        </ChartTable>
      )}
    </>
  )
}

const makeUnitUrl = ({ path, given }: TrendChartProps['range'], unit: PeriodUnit): string =>
  `${path}?${formatQueryString({ ...given, unit })}#lines`

interface MeasureLineProps {
  trend: Trend
  measure: Measure
  before: Partial<TrendMeasures>
}

const hasLine = (points: Trend['points'], { value }: Measure): boolean =>
  points.filter((point) => value(point) !== undefined).length > 1

function describeTotal(total: Partial<TrendMeasures>, measure: Measure): string {
  const whole = measure.value(total)
  return measure.total?.(total) ?? (whole === undefined ? 'unknown' : measure.format(whole))
}

function MeasureLine({ trend, measure, before }: MeasureLineProps) {
  const { points, unit } = trend
  return (
    <ChartFigure
      name={measure.name}
      value={describeTotal(trend.total, measure)}
      summary={summarize(trend, measure, before)}
    >
      {hasLine(points, measure) && <LinePlot {...{ points, measure, unit }} />}
    </ChartFigure>
  )
}

/** Says what the value was before and consists of, and names the highest and the lowest point. */
const summarize = (trend: Trend, measure: Measure, before: Partial<TrendMeasures>): string =>
  [
    measure.key in before && `Before: ${describeTotal(before, measure)}.`,
    measure.describeParts?.(trend.total),
    describeExtremes(trend, measure),
  ]
    .filter(Boolean)
    .join(' ')

/** Names the highest and the lowest point. Days, weeks and months of which the range has only a part don't count. */
function describeExtremes(
  { points, total, unit }: Trend,
  { value, format, band, isMoney }: Measure,
) {
  if (isMoney && value(total) === undefined) {
    return 'No revenue counts for the leads of these days, so no margin is known.'
  }
  const known = points
    .filter((point) => point.isWhole && value(point) !== undefined)
    .toSorted((one, other) => (value(one) ?? 0) - (value(other) ?? 0))
  const [lowest, highest] = [known[0], known.at(-1)]
  if (lowest === undefined || highest === undefined || known.length < 2) {
    return band
      ? `No rate per ${unit}: a rate needs ten accepted or rejected leads.`
      : `A line needs the numbers of two whole ${unit}s.`
  }
  const describe = (point: TrendPoint) => {
    const from = unit === 'week' ? 'in the week of' : unit === 'month' ? 'from' : 'on'
    return `${format(value(point) ?? 0)} ${from} ${describeShortDay(point.first)}`
  }
  const hasPart = points.some((point) => !point.isWhole && value(point) !== undefined)
  return value(lowest) === value(highest)
    ? `Always ${format(value(lowest) ?? 0)} per ${hasPart ? 'whole ' : ''}${unit}.`
    : `Highest ${describe(highest)}, lowest ${describe(lowest)}${hasPart ? `, of whole ${unit}s` : ''}.`
}

/** With more points, dots would hide the line. */
const maxDots = 62

function LinePlot({
  points,
  measure: { value, format, formatTick, band, isMoney },
  unit,
}: Pick<Trend, 'points' | 'unit'> & { measure: Measure }) {
  const values = points.map(value)
  const known = values.filter((one) => one !== undefined)
  // The axis of a rate shows only the rates that occur, because most rates are close together.
  const ends = band && points.map((point) => band(point)).filter((one) => one !== undefined)
  const domain = ends
    ? [Math.min(...ends.map(({ low }) => low)), Math.max(...ends.map(({ high }) => high))]
    : [Math.min(0, ...known), Math.max(0, ...known, isMoney ? 100 : 1)]
  const y = scaleLinear(domain, [plotHeight, 0]).nice(4)
  const ticks = y.ticks(4).filter((tick) => formatTick !== undefined || Number.isInteger(tick))
  const x = scaleLinear([0, Math.max(1, points.length - 1)], [0, plotWidth])
  const isKnown = (index: number) => values[index] !== undefined
  const toX = (index: number) => roundToTenth(x(index))
  const toY = (index: number) => roundToTenth(y(values[index] ?? 0))
  const all = points.map((_, index) => index)
  const makeLine = (drawn: readonly number[]) =>
    line<number>(toX, toY).defined(isKnown)(drawn) ?? undefined
  // The first and the last point may be of a part of their unit, so that they are lower: the line to them is dashed.
  const from = points[0]?.isWhole ? 0 : 1
  const to = points.at(-1)?.isWhole ? points.length : points.length - 1
  const whole = all.slice(from, to)
  const parts = [all.slice(0, from + 1), all.slice(to - 1)].filter((part) => part.length > 1)
  const makeBand = area<number>(
    toX,
    (index) => roundToTenth(y(bandAt(index)?.low ?? 0)),
    (index) => roundToTenth(y(bandAt(index)?.high ?? 0)),
  ).defined(isKnown)
  const bandAt = (index: number) => points[index] && band?.(points[index])
  const isAlone = (index: number) => !isKnown(index - 1) && !isKnown(index + 1)
  const dots = all.filter((index) => isKnown(index) && (points.length <= maxDots || isAlone(index)))
  const middle = points[Math.floor((points.length - 1) / 2)]
  const labeled = [points[0], points.length > 2 ? middle : undefined, points.at(-1)]
  return (
    <Plot
      ticks={ticks}
      y={y}
      {...(formatTick && { format: formatTick })}
      axis={labeled
        .filter((point) => point !== undefined)
        .map(({ first }) => describeShortDay(first))}
    >
      {band && <path className={styles.band} d={makeBand(all) ?? undefined} />}
      <path className={styles.line} d={makeLine(whole)} />
      {parts.map((part) => (
        <path key={part[0]} className={styles.part} d={makeLine(part)} />
      ))}
      <path className={styles.dots} d={dots.map((at) => `M${toX(at)},${toY(at)}h0`).join('')} />
      {points.map((point, index) => {
        const half = plotWidth / Math.max(1, points.length - 1) / 2
        const found = values[index]
        return (
          <rect
            key={point.first}
            className={chart.target}
            x={roundToTenth(x(index) - half)}
            width={roundToTenth(2 * half)}
            height={plotHeight}
          >
            <title>
              {`${describeSpan(point, unit)}: ${found === undefined ? 'unknown' : format(found)}`}
            </title>
          </rect>
        )
      })}
    </Plot>
  )
}
