import { Fragment, type ReactNode } from 'react'
import { TileMap } from '#console/charts/tile-map.tsx'
import { TrendChart } from '#console/charts/trend-chart.tsx'
import { type FilterFieldProps, FilterForm } from '#console/leads/filter-form.tsx'
import { RangePicker, type RangePickerProps } from '#console/ranges/range-picker.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import figureStyles from '#console/shell/figures.module.css'
import { Callout, TextWithLinks } from '#console/shell/message.tsx'
import { makeMoneyColumn, SortableTable, toShare } from '#console/shell/sortable-table.tsx'
import { answerDefinitions } from '#domain/enquiry/answers.ts'
import { formatStepLabel, steps } from '#domain/enquiry/enquiry.ts'
import { type FunnelGrouping, isLeadDimension, leadDimensions } from '#domain/measuring/funnel.ts'
import type { FunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { findMargin, type MoneySums } from '#domain/money/ledger.ts'
import { capitalize, formatNumber, formatShare, pluralize } from '#domain/text/formats.ts'
import { formatCallDuration, formatDuration } from '#domain/text/time-formats.ts'
import type { ComparedFigures } from '#server/measuring/read-figures.ts'
import type { Trend } from '#server/measuring/read-trend.ts'
import styles from './funnel-page.module.css'
import {
  acceptanceColumns,
  countAccepted,
  LeadCountLink,
  LeadsByStatusTable,
  leadsColumn,
} from './lead-results.tsx'

export interface FunnelPageProps {
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  range: RangePickerProps & {
    readonly given: { readonly campaign: string; readonly reason: string }
  }
  /** The parameters that choose the range, which the filter keeps. */
  rangeTexts: Readonly<Record<string, string>>
  by: FunnelGrouping
  /** The other dimensions to compare by, each with the URL of the comparison. */
  comparisons: readonly { readonly name: FunnelGrouping; readonly href: string }[]
  /** The query string of `/leads` for the counted leads; undefined if `/leads` lacks one of the filters. */
  leadsQuery: string | undefined
  /** Whether the filter concerns something that only leads have. */
  countsLeadsOnly: boolean
  /** The counts to show; undefined if the filter in the URL is invalid. */
  counts: FunnelCounts | undefined
}

export interface FunnelCounts
  extends Pick<ComparedFigures, 'now' | 'missing'>,
    Partial<Pick<ComparedFigures, 'earlierVisits' | 'earlierLeads' | 'earlierMeasures'>> {
  /** Undefined if the viewer may not know the filtered value. */
  readonly trend?: Trend
  readonly rows: readonly ComparisonRow[]
  /** What all rows earned and cost; undefined for a dimension that has no money. */
  readonly money?: MoneySums | undefined
  /** The number of values that the comparison leaves out. */
  readonly moreRows: number
}

export interface ComparisonRow {
  readonly label: string
  /** The first column's text in files, which also sorts the rows; for a day, week or month, its first day. */
  readonly text: string
  /** The URL of this page filtered by the row's value; undefined if the value is unknown or masked. */
  readonly href: string | undefined
  /** The query string of `/leads` for the row's leads; undefined if `/leads` cannot list them. */
  readonly leadsQuery: string | undefined
  readonly figures: FunnelFigures
  readonly money?: MoneySums | undefined
}

/** Shows how visits become accepted leads and where visitors leave the form, beside the numbers of the period before. */
export function FunnelPage(props: FunnelPageProps) {
  const { fields, isFiltered, range, rangeTexts, counts } = props
  return (
    <ConsolePage name="Funnel">
      {range.given.campaign && <h2>Campaign {range.given.campaign}</h2>}
      <RangePicker {...range} />
      <FilterForm action="/funnel" fields={fields} hidden={rangeTexts} isFiltered={isFiltered} />
      {counts && (
        <>
          <p className={figureStyles.sentence}>
            {counts.missing} {props.countsLeadsOnly && onlyLeads} <CountingRules />
          </p>
          {counts.now.visits + counts.now.leads + (counts.earlierVisits?.visits ?? 0) === 0 &&
          !counts.trend?.total.marginCents ? (
            <EmptyFunnel {...props} />
          ) : (
            <FunnelTables {...props} counts={counts} />
          )}
        </>
      )}
    </ConsolePage>
  )
}

/** Explains why a comparison or a filter leaves out visits. */
export const onlyLeads = `The page counts leads only, because visits have none of these: ${leadDimensions.join(', ')}.`

/** Explains on which day the console counts a visit, a lead or money. */
export const CountingRules = () => (
  <>
    A visit counts on the day when it began. A lead counts on the day when it was received, under
    its current status. Money counts on the day of the acceptance or of the recorded return. Visits
    appear an hour after they end. <TextWithLinks text="docs/measuring.md defines each number." />
  </>
)

const EmptyFunnel = ({ isFiltered }: FunnelPageProps) => (
  <Callout kind="note" heading="No visits on these days">
    <p>
      {isFiltered
        ? 'Remove a condition, or choose other days.'
        : 'The form reports each visit by itself. A visit appears here an hour after its last step.'}
    </p>
  </Callout>
)

/** The page shows at most this many rows of the comparison: the latest days, or the values with the most visits and leads. */
const maxComparedRows = 31

interface FunnelStage {
  readonly name: string
  readonly count: (figures: FunnelFigures) => number
  /** The condition that selects the stage's leads on `/leads`; undefined if the stage counts visits. */
  readonly status?: string
}

const stages: readonly FunnelStage[] = [
  { name: 'Page seen', count: ({ visits }) => visits },
  { name: 'Form started', count: ({ started }) => started },
  ...steps.slice(1).map((_, index) => ({
    name: `Step ${index + 2} reached`,
    count: (figures: FunnelFigures) => figures.steps[index + 1]?.visits ?? 0,
  })),
  { name: 'Lead received', count: ({ leads }) => leads, status: '' },
  { name: 'Lead accepted', count: countAccepted, status: 'status=delivered' },
]

const FunnelTables = (props: FunnelPageProps & { counts: FunnelCounts }) => {
  const { counts } = props
  const { now } = counts
  const ofVisits = !props.countsLeadsOnly
  return (
    <>
      {counts.trend && (
        <section aria-labelledby="trend">
          <h2 id="trend">Trend</h2>
          <TrendChart trend={counts.trend} range={props.range} before={counts.earlierMeasures} />
        </section>
      )}
      {ofVisits && (
        <section aria-labelledby="stages">
          <h2 id="stages">From page view to accepted lead</h2>
          <FunnelChart {...props} />
        </section>
      )}
      {ofVisits && (
        <section aria-labelledby="steps">
          <h2 id="steps">Steps</h2>
          <SortableTable
            name="Steps"
            columns={stepColumns}
            rows={now.steps.map((figures, index) => ({
              ...figures,
              index,
              earlier: counts.earlierVisits?.steps[index],
            }))}
            total={makeStepTotal(now.steps)}
          />
        </section>
      )}
      <section aria-labelledby="outcomes">
        <h2 id="outcomes">Lead results</h2>
        <LeadsByStatusTable now={now} earlier={counts.earlierLeads} leadsQuery={props.leadsQuery} />
      </section>
      <ComparedBy {...props} />
      {ofVisits && (
        <section aria-labelledby="speed">
          <h2 id="speed">Speed (75th percentile of visits)</h2>
          <SortableTable name="Speed" columns={makeSpeedColumns(counts)} rows={speeds} />
        </section>
      )}
    </>
  )
}

/** Compares the values of one dimension in a table, and links to the other dimensions. */
function ComparedBy(props: FunnelPageProps & { counts: FunnelCounts }) {
  const { by, counts, comparisons, countsLeadsOnly, leadsQuery } = props
  const { now: figures, trend, money } = counts
  const hasVisits = !countsLeadsOnly && !isLeadDimension(by)
  return (
    <section aria-labelledby="compared">
      <h2 id="compared">Compared by {by}</h2>
      <p>
        Compare by{' '}
        {comparisons.map(({ name, href }, index) => (
          <Fragment key={name}>
            {index > 0 && ', '}
            <a href={`${href}#compared`}>{name}</a>
          </Fragment>
        ))}
        . {isLeadDimension(by) && !countsLeadsOnly && onlyLeads}
      </p>
      {by === 'state' && (
        <TileMap rows={counts.rows} isOfReason={props.range.given.reason !== ''} />
      )}
      <SortableTable
        name="Comparison"
        fileName={`Comparison by ${by}`}
        columns={[
          ...makeComparisonColumns(by, figures, {
            hasVisits,
            hasAnswers: by !== 'reason' && props.range.given.reason === '',
          }),
          ...(money ? makeMoneyColumns(trend?.hasSpend ?? false) : []),
        ]}
        rows={counts.rows}
        moreRows={counts.moreRows}
        maxRows={maxComparedRows}
        total={{ label: 'All', text: '', href: undefined, leadsQuery, figures, money }}
        empty="No lead was received on these days."
      />
    </section>
  )
}

/** Shows each stage with a bar for this period and a thinner bar for the period before. */
function FunnelChart({ counts, leadsQuery }: FunnelPageProps & { counts: FunnelCounts }) {
  const { now, earlierVisits, earlierLeads } = counts
  const countEarlier = ({ count, status }: FunnelStage) => {
    const earlier = status === undefined ? earlierVisits : earlierLeads
    return earlier && count(earlier)
  }
  const maxCount = Math.max(
    1,
    ...stages.flatMap((stage) => [stage.count(now), countEarlier(stage) ?? 0]),
  )
  const toWidth = (count: number) => Math.round((count / maxCount) * 1000) / 10
  const columns: readonly Column<FunnelStage>[] = [
    { heading: 'Stage', isUnlabeled: true, isOneLine: true, cell: ({ name }) => name },
    {
      heading: 'Chart: now, and before',
      isUnlabeled: true,
      value: null,
      cell: (stage) => (
        <svg
          className={styles.bar}
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className={styles.now} width={toWidth(stage.count(now))} height="6" />
          <rect
            className={styles.earlier}
            y="7"
            width={toWidth(countEarlier(stage) ?? 0)}
            height="3"
          />
        </svg>
      ),
    },
    makeNumberColumn(
      'Number',
      ({ count, status }) => (
        <LeadCountLink
          count={count(now)}
          query={status === undefined ? undefined : leadsQuery}
          status={status}
        />
      ),
      ({ count }) => count(now),
    ),
    makeShareColumn('Of page views', ({ count }) => [count(now), now.visits]),
    makeNumberColumn('Before', countEarlier),
    makeShareColumn('Of page views, before', (stage) => {
      const count = countEarlier(stage)
      return earlierVisits && count !== undefined ? [count, earlierVisits.visits] : undefined
    }),
  ]
  return <SortableTable name="From page view to accepted lead" columns={columns} rows={stages} />
}

/** Makes a column of shares. @param find returns the part and the whole; undefined if they are unknown */
function makeShareColumn<Row>(
  heading: string,
  find: (row: Row) => readonly [part: number, whole: number] | undefined,
): Column<Row> {
  const apply =
    <Result,>(use: (part: number, whole: number) => Result) =>
    (row: Row) => {
      const found = find(row)
      return found && use(...found)
    }
  return makeNumberColumn(heading, apply(formatShare), apply(toShare))
}

type StepFigures = FunnelFigures['steps'][number]
type StepRow = StepFigures & { readonly index: number; readonly earlier: StepFigures | undefined }

const stepColumns: readonly Column<StepRow>[] = [
  {
    heading: 'Step',
    isUnlabeled: true,
    cell: ({ index }) =>
      index < steps.length ? `${formatStepLabel(index)}: ${steps[index]?.title}` : 'All steps',
  },
  makeNumberColumn('Visits', ({ visits }) => visits),
  {
    ...{ heading: 'Left here', isNumber: true, isOneLine: true },
    cell: ({ left, visits }) => `${formatNumber(left)} (${formatShare(left, visits)})`,
    value: ({ left }) => left,
  },
  makeShareColumn('Left here, before', ({ earlier }) => earlier && [earlier.left, earlier.visits]),
  makeNumberColumn('Came back', ({ cameBack }) => cameBack),
  makeDurationColumn('Median time', ({ medianMs }) => medianMs),
  makeDurationColumn('90th percentile', ({ p90Ms }) => p90Ms),
  {
    heading: 'Most frequent last field',
    cell: ({ lastField }) =>
      lastField &&
      `${answerDefinitions[lastField.value]?.label ?? lastField.value} (${formatNumber(lastField.visits)})`,
  },
  {
    heading: 'Most frequent refusal',
    isWide: true,
    cell: ({ refused }) =>
      refused &&
      `${answerDefinitions[refused.value.field].label}: ${ruleDescriptions[refused.value.rule] ?? refused.value.rule} (${pluralize(refused.visits, 'visit')})`,
  },
]

/** Adds up the visits that left; every visit begins at the first step. */
const makeStepTotal = (all: readonly StepFigures[]): StepRow => ({
  ...{ index: steps.length, earlier: undefined, medianMs: undefined, p90Ms: undefined },
  ...{ lastField: undefined, refused: undefined },
  visits: all[0]?.visits ?? 0,
  left: all.reduce((sum, { left }) => sum + left, 0),
  cameBack: all.reduce((sum, { cameBack }) => sum + cameBack, 0),
})

function makeDurationColumn(
  heading: string,
  findMs: (row: StepRow) => number | undefined,
): Column<StepRow> {
  const cell = (row: StepRow) => {
    const ms = findMs(row)
    return ms === undefined ? undefined : formatDuration(ms)
  }
  const value = (row: StepRow) => {
    const ms = findMs(row)
    return ms && Math.round(ms / 1000)
  }
  return { heading, isNumber: true, isOneLine: true, cell, value }
}

const ruleDescriptions: Readonly<Record<string, string>> = {
  missing: 'left empty',
  'too-long': 'too long',
  format: 'in the wrong format',
  range: 'out of range',
  'not-offered': 'not offered',
  'not-found': 'not found by the address check',
}

const makeComparisonColumns = (
  by: FunnelGrouping,
  all: FunnelFigures,
  { hasVisits, hasAnswers }: { hasVisits: boolean; hasAnswers: boolean },
): readonly Column<ComparisonRow>[] => [
  {
    heading: capitalize(by),
    isUnlabeled: true,
    cell: ({ label, href }) => (href === undefined ? label : <a href={href}>{label}</a>),
    value: ({ text }) => text,
  },
  ...(hasVisits ? visitColumns : []),
  leadsColumn,
  hasVisits
    ? makeShareColumn('Leads per visit', ({ figures }) => [figures.leads, figures.visits])
    : makeShareColumn('Of these leads', ({ figures }) => [figures.leads, all.leads]),
  ...(hasAnswers ? acceptanceColumns : []),
]

/** Without an amount, nothing is owed or spent, or the amount is unknown. */
const makeMoneyColumns = (hasSpend: boolean): readonly Column<ComparisonRow>[] => [
  makeMoneyColumn('Revenue', ({ money }) => money?.revenueCents ?? null),
  makeMoneyColumn('Owed', ({ money }) => money?.owedCents || null),
  ...(hasSpend
    ? [makeMoneyColumn('Ad spend', ({ money }: ComparisonRow) => money?.spendCents || null)]
    : []),
  makeMoneyColumn(hasSpend ? 'Margin' : 'Margin before ad spend', ({ money }) =>
    money ? findMargin(money, money.spendCents) : null,
  ),
]

const visitColumns: readonly Column<ComparisonRow>[] = [
  makeNumberColumn('Visits', ({ figures }) => figures.visits),
  makeShareColumn('Started', ({ figures }) => [figures.started, figures.visits]),
]

/** The measures of the page's speed, each with the highest value that is good: https://web.dev/articles/vitals */
const speeds = [
  { vital: 'lcp', name: 'Largest part of the page painted (LCP)', good: 2500 },
  { vital: 'inp', name: 'Slowest response to a press or key (INP)', good: 200 },
  { vital: 'cls', name: 'Layout shift (CLS)', good: 100 },
] as const

type Vital = (typeof speeds)[number]['vital']

function formatSpeed(vital: Vital, value: number | undefined): ReactNode {
  if (value === undefined) return undefined
  if (vital === 'cls') return (value / 1000).toFixed(2)
  return vital === 'lcp' ? `${(value / 1000).toFixed(1)} s` : formatCallDuration(value)
}

const makeSpeedColumns = ({
  now,
  earlierVisits,
}: FunnelCounts): Column<(typeof speeds)[number]>[] => [
  { heading: 'Measure', isUnlabeled: true, cell: ({ name }) => name },
  makeNumberColumn('At most', ({ vital }) => formatSpeed(vital, now.vitals[vital])),
  makeNumberColumn('Before', ({ vital }) => formatSpeed(vital, earlierVisits?.vitals[vital])),
  makeNumberColumn('Good', ({ vital, good }) => formatSpeed(vital, good)),
]
