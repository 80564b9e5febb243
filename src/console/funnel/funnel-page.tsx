import { Fragment, type ReactNode } from 'react'
import type { Field } from '#domain/enquiry/enquiry.ts'
import { formatStepLabel, steps } from '#domain/enquiry/steps.ts'
import { describeAcceptanceRate, findAcceptanceRate } from '#domain/measuring/acceptance-rate.ts'
import type { FunnelRange, FunnelSplit } from '#domain/measuring/funnel.ts'
import type { FunnelFigures, StepFigures } from '#domain/measuring/funnel-figures.ts'
import { capitalize } from '#domain/text/capitalize.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { leadOutcomes } from '../lead/lead-status.tsx'
import { type FilterFieldProps, FilterForm } from '../leads/filter-form.tsx'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '../shell/data-table.tsx'
import figureStyles from '../shell/figures.module.css'
import { type Message, Notice } from '../shell/message.tsx'
import { formatDuration } from '../shell/times.tsx'
import styles from './funnel-page.module.css'

export interface FunnelPageProps {
  shell: ConsoleShell
  /** The public address of the site; undefined until the site listens. */
  site: string | undefined
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  problem: Message | undefined
  range: FunnelRange
  before: FunnelRange
  /** Whether the range ends with a whole week, before the days that were asked for. */
  isCut: boolean
  /** The dimensions to compare by, each with the address of its page; the current one has no address. */
  comparisons: readonly { readonly name: FunnelSplit; readonly href: string | undefined }[]
  /** The leads list's query for the counted leads; undefined if the list lacks one of the filters. */
  leadsQuery: string | undefined
  /** Undefined if the address has an invalid filter. */
  counts: FunnelCounts | undefined
}

export interface FunnelCounts {
  readonly now: FunnelFigures
  /** The previous period of the same length. */
  readonly earlier: FunnelFigures
  readonly rows: readonly ComparedRow[]
  /** How many values the comparison leaves out. */
  readonly moreRows: number
  /** Whether the operator may see how many leads repeat another one. */
  readonly duplicatesShown: boolean
}

export interface ComparedRow {
  readonly label: string
  /** The address of the page filtered by this value; undefined if the value is unknown or hidden. */
  readonly href: string | undefined
  /** The leads list's query for the row's leads; undefined if the list cannot show them. */
  readonly leadsQuery: string | undefined
  readonly figures: FunnelFigures
}

export const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** A share with one decimal below 10%, because the last steps of a funnel are narrow. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = (part / whole) * 100
  return `${share.toFixed(share > 0 && share < 10 ? 1 : 0)}%`
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export const formatDay = (at: number): string => day.format(at)

export const formatRange = ({ since, until }: FunnelRange): string =>
  `${day.format(since)} – ${day.format(until - 1)}`

/** Shows how visits become accepted leads, where visitors leave the form, and how that compares with the time before. */
export function FunnelPage(props: FunnelPageProps) {
  const { shell, fields, isFiltered, problem, range, before, isCut, counts } = props
  return (
    <ConsolePage shell={shell} name="Funnel" message={problem}>
      <FilterForm action="/funnel" fields={fields} isFiltered={isFiltered} />
      {counts && (
        <>
          <p className={figureStyles.sentence}>
            {formatRange(range)}, compared with {formatRange(before)}. Every number is by visit
            date: a visit counts when it began and a lead when it was received, with its current
            status. Visits appear an hour after they end. docs/measuring.md defines each number.
            {counts.earlier.visits + counts.earlier.leads === 0 &&
              ' Nothing was counted in the weeks before.'}
            {isCut &&
              ' The week that has not ended is left out, because weeks this old are compared only as a whole.'}
          </p>
          {counts.now.visits + counts.now.leads + counts.earlier.visits === 0 ? (
            <EmptyFunnel {...props} />
          ) : (
            <Figures {...props} counts={counts} />
          )}
        </>
      )}
    </ConsolePage>
  )
}

const EmptyFunnel = ({ site, isFiltered }: FunnelPageProps) => (
  <Notice kind="note" heading="No visit is counted in these weeks">
    <p>
      {isFiltered
        ? 'Remove a part of the filter, or choose other weeks. '
        : 'The form’s page reports each visit by itself; nothing has to be set up. '}
      To try it, fill in a step of the form on{' '}
      {site === undefined ? 'the site' : <a href={site}>the site</a>} and close the tab: the visit
      appears here an hour later.
    </p>
  </Notice>
)

const countAccepted = ({ byStatus }: FunnelFigures): number => byStatus.delivered ?? 0

/** A stage of the funnel. Stages of leads have the leads list's query for the counted leads. */
interface Stage {
  readonly name: string
  readonly of: (figures: FunnelFigures) => number
  readonly status?: string
}

const stages: readonly Stage[] = [
  { name: 'Page seen', of: ({ visits }) => visits },
  { name: 'Form started', of: ({ started }) => started },
  ...steps.slice(1).map((_, index) => ({
    name: `Step ${index + 2} reached`,
    of: (figures: FunnelFigures) => figures.steps[index + 1]?.visits ?? 0,
  })),
  { name: 'Lead received', of: ({ leads }) => leads, status: '' },
  { name: 'Lead accepted', of: countAccepted, status: 'status=delivered' },
]

const Figures = (props: FunnelPageProps & { counts: FunnelCounts }) => {
  const { counts, comparisons } = props
  const by = comparisons.find(({ href }) => href === undefined)?.name ?? 'affiliate'
  const { now } = counts
  return (
    <>
      <section aria-labelledby="stages">
        <h2 id="stages">From page view to accepted lead</h2>
        <Stages {...props} />
      </section>
      <section aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        <DataTable
          name="Steps"
          columns={stepColumns}
          rows={now.steps.map((figures, index) => ({
            ...figures,
            index,
            earlier: counts.earlier.steps[index],
          }))}
          keyOf={({ index }) => String(index)}
          empty=""
        />
      </section>
      <section aria-labelledby="outcomes">
        <h2 id="outcomes">Lead results</h2>
        <OutcomeTable {...counts} leadsQuery={props.leadsQuery} />
      </section>
      <section aria-labelledby="compared">
        <h2 id="compared">Compared by {by}</h2>
        <p>
          Compare by{' '}
          {comparisons
            .filter(({ href }) => href !== undefined)
            .map(({ name, href }, index) => (
              <Fragment key={name}>
                {index > 0 && ', '}
                <a href={`${href}#compared`}>{name}</a>
              </Fragment>
            ))}
          .
        </p>
        <DataTable
          name="Comparison"
          isCompact
          columns={makeComparisonColumns(by)}
          rows={counts.rows.map((row, place) => ({ ...row, place }))}
          keyOf={({ place }) => String(place)}
          empty=""
        />
        {counts.moreRows > 0 && (
          <p>
            The table leaves out{' '}
            {by === 'week'
              ? pluralize(counts.moreRows, 'earlier week')
              : `${pluralize(counts.moreRows, 'value')} with fewer visits and leads`}
            .
          </p>
        )}
      </section>
      <section aria-labelledby="speed">
        <h2 id="speed">Speed (75th percentile of visits)</h2>
        <DataTable
          name="Speed"
          isCompact
          columns={speedColumns}
          rows={speeds.map((speed) => ({
            ...speed,
            now: now.vitals[speed.vital],
            earlier: counts.earlier.vitals[speed.vital],
          }))}
          keyOf={({ vital }) => vital}
          empty=""
        />
      </section>
    </>
  )
}

/** The chart is the table itself: each row has a bar, above a thinner bar of the period before. */
function Stages({
  counts: { now, earlier },
  leadsQuery,
}: FunnelPageProps & { counts: FunnelCounts }) {
  const most = Math.max(1, ...stages.flatMap(({ of }) => [of(now), of(earlier)]))
  const toWidth = (count: number) => Math.round((count / most) * 1000) / 10
  const columns: readonly Column<Stage>[] = [
    { heading: 'Stage', isPlain: true, isWhole: true, cell: ({ name }) => name },
    {
      heading: 'Chart: now, and before',
      isPlain: true,
      cell: ({ of }) => (
        <svg
          className={styles.bar}
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className={styles.now} width={toWidth(of(now))} height="6" />
          <rect className={styles.earlier} y="7" width={toWidth(of(earlier))} height="3" />
        </svg>
      ),
    },
    makeNumberColumn('Number', ({ of, status }) => (
      <LeadCount
        count={of(now)}
        query={status === undefined ? undefined : leadsQuery}
        status={status}
      />
    )),
    makeNumberColumn('Of page views', ({ of }) => formatShare(of(now), now.visits)),
    makeNumberColumn('Before', ({ of }) => formatNumber(of(earlier))),
    makeNumberColumn('Of page views, before', ({ of }) => formatShare(of(earlier), earlier.visits)),
  ]
  return (
    <DataTable
      name="From page view to accepted lead"
      isCompact
      columns={columns}
      rows={stages}
      keyOf={({ name }) => name}
      empty=""
    />
  )
}

interface LeadCountProps {
  count: number
  /** The query of the list with more leads than these; undefined if the list cannot show them. */
  query: string | undefined
  status?: string | undefined
}

/** A number of leads that links to these leads. */
export const LeadCount = ({ count, query, status = '' }: LeadCountProps) =>
  query === undefined ? (
    formatNumber(count)
  ) : (
    <a href={`/leads?${[query, status].filter((part) => part !== '').join('&')}`}>
      {formatNumber(count)}
    </a>
  )

interface StepRow extends StepFigures {
  readonly index: number
  readonly earlier: StepFigures | undefined
}

const formatOptionalDuration = (ms: number | undefined): ReactNode =>
  ms === undefined ? undefined : formatDuration(ms)

const stepColumns: readonly Column<StepRow>[] = [
  {
    heading: 'Step',
    isPlain: true,
    cell: ({ index }) => `${formatStepLabel(index)}: ${steps[index]?.title}`,
  },
  makeNumberColumn('Visits', ({ visits }) => formatNumber(visits)),
  makeNumberColumn(
    'Left here',
    ({ left, visits }) => `${formatNumber(left)} (${formatShare(left, visits)})`,
  ),
  makeNumberColumn(
    'Left here, before',
    ({ earlier }) => earlier && formatShare(earlier.left, earlier.visits),
  ),
  makeNumberColumn('Came back', ({ returned }) => formatNumber(returned)),
  {
    heading: 'Median time',
    isNumber: true,
    isWhole: true,
    cell: ({ medianMs }) => formatOptionalDuration(medianMs),
  },
  {
    heading: '90th percentile',
    isNumber: true,
    isWhole: true,
    cell: ({ p90Ms }) => formatOptionalDuration(p90Ms),
  },
  {
    heading: 'Last field before most exits',
    cell: ({ lastField }) =>
      lastField &&
      `${fieldNames[lastField.value] ?? lastField.value} (${formatNumber(lastField.visits)})`,
  },
  {
    heading: 'Rule that refused most',
    isLong: true,
    cell: ({ refused }) =>
      refused &&
      `${fieldNames[refused.value.field]}: ${ruleNames[refused.value.rule] ?? refused.value.rule} (${pluralize(refused.visits, 'visit')})`,
  },
]

const fieldNames: Readonly<Record<Field, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  email: 'Email',
  address: 'Street address',
  zip: 'ZIP code',
  city: 'City',
  state: 'State',
  previousEducation: 'Education level',
  graduatingYear: 'Graduation year',
  desiredProgram: 'Program',
  startDate: 'Start date',
  confirmation: 'Consent',
}

const ruleNames: Readonly<Record<string, string>> = {
  missing: 'left empty',
  'too-long': 'too long',
  format: 'not in the form that is asked for',
  range: 'out of range',
  'not-offered': 'not offered',
  'not-found': 'not found by the address check',
}

type OutcomeTableProps = Pick<FunnelCounts, 'now' | 'earlier' | 'duplicatesShown'> &
  Pick<FunnelPageProps, 'leadsQuery'>

export const OutcomeTable = (props: OutcomeTableProps) => (
  <DataTable
    name="Lead results"
    isCompact
    columns={makeOutcomeColumns(props.leadsQuery)}
    rows={listOutcomes(props)}
    keyOf={({ name }) => name}
    empty="No lead was received in this period."
  />
)

interface OutcomeRow {
  readonly name: string
  readonly status: string
  readonly now: number
  readonly earlier: number
  readonly of: number
}

/** Statuses that are shown only if they have leads. */
const rareStatuses: readonly string[] = ['Returned', 'Failed', 'Duplicates', 'Erased']

function listOutcomes({ now, earlier, duplicatesShown }: OutcomeTableProps): readonly OutcomeRow[] {
  if (now.leads === 0) return []
  const toRow = (name: string, status: string, count: (of: FunnelFigures) => number) => ({
    ...{ name, status, now: count(now), earlier: count(earlier), of: now.leads },
  })
  const [accepted, rejected, ...others] = leadOutcomes.map(([key, name, status]) =>
    toRow(capitalize(name), status, ({ byStatus }) => byStatus[key] ?? 0),
  )
  const returned = toRow('Returned', 'returned=yes', (figures) => figures.returned)
  const causes = Object.keys(now.rejectedBecause).map((cause) =>
    toRow(
      cause === 'rejected'
        ? 'Rejected by the distributor’s rules'
        : `Rejected: ${causeNames[cause] ?? cause}`,
      `status=rejected&error=${encodeURIComponent(cause)}`,
      ({ rejectedBecause }) => rejectedBecause[cause] ?? 0,
    ),
  )
  return [accepted, returned, rejected, ...(causes.length > 1 ? causes : []), ...others]
    .filter((row) => row !== undefined)
    .filter(
      (row) =>
        !rareStatuses.includes(row.name) ||
        (row.now + row.earlier > 0 && (row.name !== 'Duplicates' || duplicatesShown)),
    )
}

const causeNames: Readonly<Record<string, string>> = { cap: 'the monthly cap was reached' }

const makeOutcomeColumns = (leadsQuery: string | undefined): readonly Column<OutcomeRow>[] => [
  { heading: 'Status', isPlain: true, cell: ({ name }) => name },
  makeNumberColumn('Leads', ({ now, status }) => (
    <LeadCount count={now} query={leadsQuery} status={status} />
  )),
  makeNumberColumn('Of all leads', ({ now, of }) => formatShare(now, of)),
  makeNumberColumn('Before', ({ earlier }) => formatNumber(earlier)),
]

const makeComparisonColumns = (
  by: FunnelSplit,
): readonly Column<ComparedRow & { readonly place: number }>[] => [
  {
    heading: by[0]?.toUpperCase() + by.slice(1),
    isPlain: true,
    cell: ({ label, href }) => (href === undefined ? label : <a href={href}>{label}</a>),
  },
  makeNumberColumn('Visits', ({ figures }) => formatNumber(figures.visits)),
  makeNumberColumn('Started', ({ figures }) => formatShare(figures.started, figures.visits)),
  makeNumberColumn('Leads', ({ figures, leadsQuery }) => (
    <LeadCount count={figures.leads} query={leadsQuery} />
  )),
  makeNumberColumn('Leads per visit', ({ figures }) => formatShare(figures.leads, figures.visits)),
  makeNumberColumn('Accepted', ({ figures, leadsQuery }) => (
    <LeadCount count={countAccepted(figures)} query={leadsQuery} status="status=delivered" />
  )),
  makeNumberColumn('Returned', ({ figures, leadsQuery }) => (
    <LeadCount count={figures.returned} query={leadsQuery} status="returned=yes" />
  )),
  {
    heading: 'Acceptance rate',
    isNumber: true,
    isPlain: true,
    cell: ({ figures }) =>
      describeAcceptanceRate(
        findAcceptanceRate(countAccepted(figures), figures.byStatus.rejected ?? 0),
      ),
  },
]

/** The limits of good values: https://web.dev/articles/vitals */
const speeds = [
  { vital: 'lcp', name: 'Largest part of the page painted (LCP)', good: 2500 },
  { vital: 'inp', name: 'Slowest response to a press or key (INP)', good: 200 },
  { vital: 'cls', name: 'Layout shift (CLS)', good: 100 },
] as const

interface SpeedRow {
  readonly vital: (typeof speeds)[number]['vital']
  readonly name: string
  readonly good: number
  readonly now: number | undefined
  readonly earlier: number | undefined
}

function formatSpeed(vital: SpeedRow['vital'], value: number | undefined): ReactNode {
  if (value === undefined) return undefined
  if (vital === 'cls') return (value / 1000).toFixed(2)
  return vital === 'lcp' ? `${(value / 1000).toFixed(1)} s` : formatDuration(value)
}

const speedColumns: readonly Column<SpeedRow>[] = [
  { heading: 'Measure', isPlain: true, cell: ({ name }) => name },
  makeNumberColumn('At most', ({ vital, now }) => formatSpeed(vital, now)),
  makeNumberColumn('Before', ({ vital, earlier }) => formatSpeed(vital, earlier)),
  makeNumberColumn('Good', ({ vital, good }) => formatSpeed(vital, good)),
]
