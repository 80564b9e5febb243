import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { type Day, listOffsets, type TimeRange, toDay } from '#domain/calendar.ts'
import { countedRejectionCauses } from '#domain/delivery/outcome.ts'
import { day } from '#domain/durations.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import {
  countsLeadsOnly,
  type FunnelCountScope,
  type FunnelFilter,
  type FunnelGrouping,
  funnelDimensions,
  isPeriodUnit,
  leadDimensions,
  type VisitEventCounts,
} from '#domain/measuring/funnel.ts'
import { type Comparison, type Period, startOfUnit } from '#domain/measuring/periods.ts'
import { emptyLedgerSums, type LedgerSums } from '#domain/money/ledger.ts'
import { describeDay } from '#domain/text/time-formats.ts'
import {
  equalsInAnyCase,
  isOriginColumn,
  isPersonalOrigin,
  originNames,
} from '#server/leads/lead-origins.ts'
import {
  ledgerSums,
  readLedgerByAffiliate,
  readLedgerByRange,
  toLedgerSums,
} from '#server/money/read-ledger.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import { type RejectionReasons, readRejectionReasons } from './rejection-reasons.ts'

/** Visits are counted from the day `first` to the day `last`, and leads from the time `since` to `until`. */
export interface FunnelQuery extends Period {
  readonly filter: FunnelFilter
  /** Whether the filter leaves out leads whose filtered value contains the person's own data. */
  readonly hidesPersonalOrigins?: boolean
}

export interface FunnelSplitQuery extends FunnelQuery {
  readonly by: FunnelGrouping
}

/**
 * Makes SQL for the day of the time in a column. All times must be within the range. The numbers are literals, because
 * PostgreSQL must recognize the same expression in `group by`.
 */
export function makeDayColumn(column: string, range: TimeRange, zone: string): RawBuilder<Day> {
  const time = sql.ref(column)
  const offsets = listOffsets(range, zone)
  const cases = offsets.map(
    ({ until, offset }) => sql`when ${time} < ${sql.lit(until)} then ${sql.lit(offset)}`,
  )
  const offset = cases.length === 0 ? sql.lit(0) : sql`case ${sql.join(cases, sql` `)} end`
  const local = sql`(${time} + ${offset})`
  return sql<Day>`${local} - ${local} % ${sql.lit(day)}`
}

/** Replaces days by the first days of their weeks or months, and leaves other values as they are. */
const toGroup = (value: unknown, by: FunnelGrouping | undefined): string | number | null =>
  by !== undefined && isPeriodUnit(by) && value !== null
    ? startOfUnit(Number(value) - (Number(value) % day), by)
    : (value as string | null)

/** The reasons by which leads are counted, for one kind of operator. */
type Reasons = ReturnType<RejectionReasons>

/** @param reasons undefined if the filter has no reason */
function makeFilterCondition(
  filter: FunnelFilter,
  table: 'funnel_counts' | 'lead_index',
  reasons?: Reasons,
) {
  const conditions = [...funnelDimensions, ...leadDimensions]
    .filter((dimension) => dimension in filter)
    .map((dimension) => {
      if (dimension === 'reason') return makeReasonCondition(filter.reason ?? null, reasons)
      const wanted = filter[dimension] ?? null
      const column = sql.ref(dimension)
      if (wanted === null) return sql`${column} is null`
      if (!isOriginColumn(dimension)) return sql`${column} = ${wanted}`
      // Operators type these values, so their case makes no difference.
      const values = [wanted].flat().map(String)
      if (values.length === 0) return sql`1 = 0`
      return table === 'lead_index'
        ? sql`${sql.ref(`${dimension}_key`)} in (${sql.join(values.map(makeOriginKey))})`
        : sql`(${sql.join(
            values.map((value) => equalsInAnyCase(dimension, value)),
            sql` or `,
          )})`
    })
  return sql.join([sql`1 = 1`, ...conditions], sql` and `)
}

/** Makes SQL for whether the distributor's last answer rejected a lead for a reason; null selects the other leads. */
function makeReasonCondition(reason: string | null, reasons: Reasons | undefined) {
  if (reason === null) return sql`rejected_because is null`
  const groups = reasons?.findGroups(reason)
  const named = reasons?.groups ?? []
  if (groups?.length === 0) return sql`1 = 0`
  const inGroups = groups
    ? sql`error_group in (${sql.join(groups)})`
    : named.length === 0
      ? sql`1 = 1`
      : sql`(error_group is null or error_group not in (${sql.join(named)}))`
  return sql`rejected_because is not null and ${inGroups}`
}

type VisitQuery = Pick<FunnelQuery, 'first' | 'last' | 'filter'>

const selectVisits = ({ first, last, filter }: VisitQuery, by?: FunnelGrouping) => {
  const dimensions = funnelDimensions.filter((name) => name in filter || name === by)
  const [dimension = 'all'] = dimensions
  const scope: FunnelCountScope = dimensions.length > 1 ? 'each' : dimension
  return sql`from funnel_counts where scope = ${scope} and from_at >= ${first} and from_at < ${last + day}
    and ${makeFilterCondition(filter, 'funnel_counts')}`
}

/** Adds up counts of visits. A visit counts on its whole day, even if the range ends within the day. */
async function countVisits(db: Kysely<StoreTables>, query: VisitQuery): Promise<VisitEventCounts> {
  if (countsLeadsOnly(query.filter)) return {}
  const { rows } = await sql<{ seen: number; started: number; details: string }>`
    select seen, started, details ${selectVisits(query)}`.execute(db)
  const sums: Record<string, number> = { seen: 0, started: 0 }
  for (const { details, ...row } of rows) {
    const counts: Record<string, number> = { ...row, ...JSON.parse(details) }
    for (const event in counts) sums[event] = (sums[event] ?? 0) + Number(counts[event])
  }
  return sums
}

export interface GroupVisitCount {
  /** The dimension's value, or the first day of the unit; null if the value is unknown. */
  readonly value: string | number | null
  readonly seen: number
  readonly started: number
}

/** Counts visits by the values of one dimension, or by day, week or month. */
async function countVisitsBy(
  db: Kysely<StoreTables>,
  query: VisitQuery & Pick<FunnelSplitQuery, 'by'>,
): Promise<readonly GroupVisitCount[]> {
  const { by } = query
  if (countsLeadsOnly(query.filter, by)) return []
  const value = sql.ref(isPeriodUnit(by) ? 'from_at' : by)
  const { rows } = await sql<GroupVisitCount>`
    select ${value} as value, sum(seen) as seen, sum(started) as started
    ${selectVisits(query, by)} group by ${value}`.execute(db)
  const counts = new Map<string | number | null, GroupVisitCount>()
  for (const row of rows) {
    const group = toGroup(row.value, by)
    const { seen, started } = counts.get(group) ?? { seen: 0, started: 0 }
    const sums = { seen: seen + Number(row.seen), started: started + Number(row.started) }
    counts.set(group, { value: group, ...sums })
  }
  return [...counts.values()]
}

/** Selects rows of `lead_index`. */
const makeLeadCondition = (
  { filter, hidesPersonalOrigins }: Pick<FunnelQuery, 'filter' | 'hidesPersonalOrigins'>,
  reasons: Reasons | undefined,
): RawBuilder<unknown> => {
  const hidden = hidesPersonalOrigins ? originNames.filter((name) => name in filter) : []
  return sql.join(
    [
      makeFilterCondition(filter, 'lead_index', reasons),
      ...hidden.map((name) => sql`not ${isPersonalOrigin(name)}`),
    ],
    sql` and `,
  )
}

type LeadQuery = Omit<FunnelQuery, 'first' | 'last'> & Partial<Pick<FunnelSplitQuery, 'by'>>

export interface OutcomeCount {
  /** The value, or the first day of the unit, of these leads; null if it is unknown, or if the counts are not split. */
  readonly value: string | number | null
  readonly status: IndexedStatus
  /** Why the distributor's last answer rejected the leads: a cause such as `cap`, or `rejected`. Null for other leads. */
  readonly cause: string | null
  readonly leads: number
  /** The number of accepted leads that the distributor has taken back. */
  readonly returned: number
  /** The number of leads whose value contains the person's own data. */
  readonly personal: number
}

/**
 * Counts leads by their current status in the lead index, which the console's list of leads reads, too. Split by week or
 * month, the same value and status may have several rows.
 */
async function countOutcomes(
  db: Kysely<StoreTables>,
  { since, until, filter, by, hidesPersonalOrigins }: LeadQuery,
  { zone, reasons }: { readonly zone: string; readonly reasons: Reasons | undefined },
): Promise<readonly OutcomeCount[]> {
  const value =
    by === undefined
      ? sql`null`
      : isPeriodUnit(by)
        ? makeDayColumn('received_at', { since, until }, zone)
        : sql.ref(by === 'reason' ? 'error_group' : by)
  const personal =
    by && isOriginColumn(by) ? sql`case when ${isPersonalOrigin(by)} then 1 end` : sql`null`
  const time = (await hasMostLeads(db, { since, until, filter }))
    ? sql`+received_at`
    : sql`received_at`
  const { rows } = await sql<OutcomeCount>`
    select ${value} as value, status, rejected_because as cause, count(*) as leads,
      count(returned_at) as returned, count(${personal}) as personal from lead_index
    where ${time} >= ${since} and ${time} < ${until}
      and ${makeLeadCondition({ filter, hidesPersonalOrigins }, reasons)}
    group by ${by === undefined ? sql`` : sql`${value},`} status, rejected_because`.execute(db)
  return rows.map((row) => ({
    ...row,
    value:
      by === 'reason'
        ? row.cause === null
          ? null
          : (reasons?.nameOf(row.value as string | null) ?? null)
        : toGroup(row.value, by),
    leads: Number(row.leads),
    returned: Number(row.returned),
    personal: Number(row.personal),
  }))
}

/**
 * Whether a range has so many of the leads that SQLite reads the whole table faster than it finds each lead by the index
 * of times, which takes twice as long. The same goes for the ledger, whose entries follow the leads.
 */
async function hasMostLeads(
  db: Kysely<StoreTables>,
  { since, until, filter }: Pick<FunnelQuery, 'since' | 'until' | 'filter'>,
): Promise<boolean> {
  // PostgreSQL decides it by itself, and would take a time that isn't a bare column for one that few rows have.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return false
  // No index finds a device.
  if (Object.keys(filter).some((name) => name !== 'device')) return false
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(received_at) from lead_index) as first,
      (select max(received_at) from lead_index) as last`.execute(db)
  const [first, last] = [Number(rows[0]?.first), Number(rows[0]?.last)]
  return 3 * (Math.min(until, last) - Math.max(since, first)) > last - first
}

/** How many leads there are, and how many of them the distributor's last answer accepted or rejected. */
export interface AnswerCounts {
  readonly leads: number
  readonly accepted: number
  readonly rejected: number
}

/** Counts all leads of each time range from indexes alone, in the order of the ranges. */
async function countAnswers(
  db: Kysely<StoreTables>,
  ranges: readonly TimeRange[],
): Promise<readonly AnswerCounts[]> {
  const values = ranges.map(({ since, until }) => sql`(${sql.lit(since)}, ${sql.lit(until)})`)
  const count = (condition: RawBuilder<unknown>) => sql`(select count(*) from lead_index
    where ${condition} and received_at >= since and received_at < until)`
  const { rows } = await sql<AnswerCounts>`
    with ranges(since, until) as (values ${sql.join(values)})
    select ${count(sql`1 = 1`)} as leads, ${count(sql`status = 'delivered'`)} as accepted,
      ${count(sql`rejected_because in (${sql.join(countedRejectionCauses)})`)} as rejected
    from ranges order by since`.execute(db)
  return rows.map(({ leads, accepted, rejected }) => ({
    leads: Number(leads),
    accepted: Number(accepted),
    rejected: Number(rejected),
  }))
}

export interface MoneyQuery extends FunnelQuery {
  /** The affiliate whose entries count; otherwise the filter selects them by their leads. */
  readonly affiliateId?: string | undefined
}

export interface DailyMoney {
  readonly day: Day
  /** The sums of the ledger; undefined if the ledger has no entry on the day. */
  readonly ledger?: LedgerSums
  readonly spendCents?: number
}

/** Whether the filter selects ad spend, too, of which only source and campaign are known. */
export const knowsSpend = ({ filter, affiliateId }: Pick<MoneyQuery, 'filter' | 'affiliateId'>) =>
  affiliateId === undefined &&
  Object.keys(filter).every((name) => name === 'source' || name === 'campaign')

/** Selects entries of the ledger. */
function selectEntries(
  db: Kysely<StoreTables>,
  { affiliateId, ...query }: MoneyQuery,
  reasons: Reasons | undefined,
  time = sql<number>`at`,
) {
  const { since, until, filter } = query
  const entries = db
    .selectFrom('lead_ledger')
    .where(time, '>=', since)
    .where(time, '<', until)
    .select(ledgerSums)
  if (affiliateId !== undefined) return entries.where('affiliate_id', '=', affiliateId)
  if (Object.keys(filter).length === 0) return entries
  // Looking up the lead of each entry costs as much as the range is long; listing the filter's leads, as they are many.
  const isLong = until - since > 100 * day
  return entries.where(sql<boolean>`${isLong ? sql`lead_ledger.lead_id in` : sql`exists`} (
    select lead_index.lead_id from lead_index
    where ${isLong ? sql`1 = 1` : sql`lead_index.lead_id = lead_ledger.lead_id`}
      and received_at < ${until} and ${makeLeadCondition(query, reasons)})`)
}

/** Selects ad spend; none if the filter can't select it: see {@link knowsSpend}. */
function selectSpend(db: Kysely<StoreTables>, query: MoneyQuery) {
  const { first, last, filter } = query
  let spend = db
    .selectFrom('spend')
    .where('day', '>=', first)
    .where('day', '<=', last)
    // A wrong row is corrected to nothing, which leaves no source or campaign.
    .where('amount_cents', '>', 0)
    .select(sql<number>`sum(amount_cents)`.as('cents'))
  if (!knowsSpend(query)) spend = spend.where(sql<boolean>`1 = 0`)
  for (const name of ['source', 'campaign'] as const) {
    const wanted = [filter[name] ?? ''].flat().map(makeOriginKey)
    if (name in filter) spend = spend.where(`${name}_key`, 'in', wanted)
  }
  return spend
}

export interface DailyMoneyQuery extends MoneyQuery {
  /** The parts of the range, earliest first, each with its first day. */
  readonly spans: readonly (TimeRange & { readonly first: Day })[]
}

/**
 * Adds up the entries of the ledger and the ad spend by day: see {@link knowsSpend}. If no filter selects the entries,
 * the sums of a span are at its first day, because they take a third of the time.
 */
async function readMoneyByDay(
  db: Kysely<StoreTables>,
  { spans, ...query }: DailyMoneyQuery,
  { zone, reasons }: { readonly zone: string; readonly reasons: Reasons | undefined },
): Promise<readonly DailyMoney[]> {
  const readDays = async () => {
    const date = makeDayColumn('at', query, zone)
    const rows = selectEntries(db, query, reasons).select(date.as('day')).groupBy(date)
    return (await rows.execute()).map((row) => ({
      day: Number(row.day),
      ledger: toLedgerSums(row),
    }))
  }
  const readSpans = async () => {
    const sums = await readLedgerByRange(db, spans, query.affiliateId)
    return spans.map(({ first }, index) => ({ day: first, ledger: sums[index] ?? emptyLedgerSums }))
  }
  const isFiltered = query.affiliateId === undefined && Object.keys(query.filter).length > 0
  const [ledger, spent] = await Promise.all([
    isFiltered ? readDays() : readSpans(),
    selectSpend(db, query).select('day').groupBy('day').execute(),
  ])
  return [
    ...ledger,
    ...spent.map((row) => ({ day: Number(row.day), spendCents: Number(row.cents) })),
  ]
}

/** What leads of a source or campaign earned and cost, in any case; null if it is unknown or names the person. */
export interface OriginMoney extends Omit<DailyMoney, 'day'> {
  readonly value: string | null
}

/** Adds up the entries of the ledger and the ad spend by source or campaign. */
async function readMoneyByOrigin(
  db: Kysely<StoreTables>,
  by: 'source' | 'campaign',
  query: MoneyQuery,
  reasons: Reasons | undefined,
): Promise<readonly OriginMoney[]> {
  const value = sql<
    string | null
  >`case when not ${isPersonalOrigin(by)} then ${sql.ref(`lead.${by}`)} end`
  const time = (await hasMostLeads(db, query)) ? sql<number>`+at` : sql<number>`at`
  const [ledger, spent] = await Promise.all([
    selectEntries(db, query, reasons, time)
      .leftJoin('lead_index as lead', 'lead.lead_id', 'lead_ledger.lead_id')
      .select(value.as('value'))
      .groupBy(value)
      .execute(),
    selectSpend(db, query)
      .select(sql<string>`min(${sql.ref(by)})`.as('value'))
      .groupBy(`${by}_key`)
      .execute(),
  ])
  return [
    ...ledger.map((row) => ({ value: row.value, ledger: toLedgerSums(row) })),
    ...spent.map((row) => ({ value: row.value || null, spendCents: Number(row.cents) })),
  ]
}

export interface ReturnAge {
  /** The days from the acceptance to the return, rounded. */
  readonly days: number
  readonly returns: number
}

/**
 * Counts the returns that were recorded in a period by their age. The ledger, which keeps no personal data, knows when
 * a lead was accepted, and the distributor's file says when it was returned.
 */
async function countReturnsByAge(
  db: Kysely<StoreTables>,
  { since, until, affiliateId }: TimeRange & { readonly affiliateId?: string },
): Promise<readonly ReturnAge[]> {
  const age = sql`(case when returns.returned_at > accepted.at
    then returns.returned_at - accepted.at else 0 end + ${sql.lit(day / 2)}) / ${sql.lit(day)}`
  const { rows } = await sql<ReturnAge>`
    select ${age} as days, count(*) as returns from lead_ledger as returned
    inner join lead_ledger as accepted on accepted.lead_id = returned.lead_id and accepted.kind = 'accepted'
    inner join returns on returns.lead_id = returned.lead_id
    where returned.kind = 'returned' and returned.at >= ${since} and returned.at < ${until}
      ${affiliateId === undefined ? sql`` : sql`and returned.affiliate_id = ${affiliateId}`}
    group by ${age} order by 1`.execute(db)
  return rows.map((row) => ({ days: Number(row.days), returns: Number(row.returns) }))
}

/** The maximum number of leads whose times are read, because the times of more leads would change the median little. */
const maxTimed = 1000

/** Reads how long the latest accepted leads waited from receipt to acceptance, in milliseconds. */
async function readTimesToAcceptance(
  db: Kysely<StoreTables>,
  { since, until, filter }: LeadQuery,
  reasons: Reasons | undefined,
): Promise<readonly number[]> {
  const { rows } = await sql<{ ms: number }>`
    select deliveries.settled_at - latest.received_at as ms from (
      select lead_id, received_at from lead_index
      where status = 'delivered' and received_at >= ${since} and received_at < ${until}
        and ${makeFilterCondition(filter, 'lead_index', reasons)}
      order by received_at desc limit ${sql.lit(maxTimed)}
    ) as latest inner join deliveries on deliveries.lead_id = latest.lead_id`.execute(db)
  return rows.map(({ ms }) => Number(ms))
}

/**
 * Finds out why a filter's counts of a period are incomplete: the store, or for example the affiliate, may have begun
 * later, and retention may have erased leads.
 */
async function findMissing(
  db: Kysely<StoreTables>,
  { since, first, ...selected }: Omit<FunnelQuery, 'until' | 'last'>,
  { zone, reasons }: { readonly zone: string; readonly reasons: Reasons | undefined },
): Promise<Comparison> {
  const { filter } = selected
  const hasOnlyLeads = countsLeadsOnly(filter)
  const findFirst = async (found: RawBuilder<{ at: number }>) =>
    (await found.execute(db)).rows[0]?.at
  const always = { first: 0, last: Number.MAX_SAFE_INTEGER - day, filter }
  const [firstVisitAt, firstLeadAt, erasedAt] = await Promise.all([
    hasOnlyLeads
      ? undefined
      : findFirst(sql`select from_at as at ${selectVisits(always)} order by from_at limit 1`),
    findFirst(sql`select received_at as at from lead_index
      where ${makeLeadCondition(selected, reasons)} order by received_at limit 1`),
    // The function keeps the index by cause out of use, because it would have to sort all erased leads.
    findFirst(sql`select received_at as at from leads
      where erased_at is not null and coalesce(erased_by, '') = 'retention'
      order by received_at desc limit 1`),
  ])
  const describeFirst = (what: string, date: Day | undefined): string =>
    date === undefined
      ? `there is no ${what} yet`
      : `the first ${what} is from ${describeDay(date)}`
  const hasVisits = firstVisitAt !== undefined && firstVisitAt < first
  const hasLeads = firstLeadAt !== undefined && firstLeadAt <= since
  return {
    // The first day with visits may have begun before its first visit.
    noVisits: hasVisits || hasOnlyLeads ? undefined : describeFirst('visit', firstVisitAt),
    noLeads:
      erasedAt !== undefined && erasedAt >= since
        ? 'retention has erased leads of the earlier days'
        : hasLeads
          ? undefined
          : describeFirst('lead', firstLeadAt && toDay(firstLeadAt, zone)),
  }
}

/**
 * Says from which day on visits count in the zone's days, if earlier counts of the range follow another zone; empty
 * otherwise. Leads need no such note, because their times are stored.
 */
async function describeEarlierZone(
  db: Kysely<StoreTables>,
  first: Day,
  zone: string,
): Promise<string> {
  const zones = await db.selectFrom('counted_zones').selectAll().orderBy('began_at').execute()
  const other = zones.findLastIndex((counted) => counted.zone !== zone)
  const [until, former] = [zones[other + 1], zones[other]]
  const changed = until && toDay(until.began_at, zone)
  if (former === undefined || (changed !== undefined && changed < first)) return ''
  const before = changed === undefined ? '' : ` before ${describeDay(changed)}`
  return `Visits counted${before} stay on their days in the time zone ${former.zone}.`
}

/** Counts visits and leads. A visit counts on the day when it began, and a lead when the server received it. */
export function makeFunnelReader({ db, zone }: Pick<LeadDatabase, 'db' | 'zone'>) {
  const readReasons = makeTimedCache(() => readRejectionReasons(db), makeProportionalLifetime(20))
  /** Reads the reasons only for a query that needs them, and at once: a cached list would lack a new reason. */
  const reasonsFor = async ({ filter, by, hidesPersonalOrigins = false }: Partial<LeadQuery>) =>
    by === 'reason' || (filter && 'reason' in filter)
      ? (await readRejectionReasons(db))(hidesPersonalOrigins)
      : undefined
  return {
    visits: (query: VisitQuery) => countVisits(db, query),
    visitsBy: (query: VisitQuery & Pick<FunnelSplitQuery, 'by'>) => countVisitsBy(db, query),
    leads: async (query: LeadQuery) =>
      countOutcomes(db, query, { zone, reasons: await reasonsFor(query) }),
    answers: (ranges: readonly TimeRange[]) => countAnswers(db, ranges),
    /** The distributor's reasons as a few seconds ago, for suggestions and links. @param hidesRare whether they are for a viewer */
    reasons: async (hidesRare: boolean) => (await readReasons())(hidesRare),
    findMissing: async (before: Omit<FunnelQuery, 'until' | 'last'>) =>
      findMissing(db, before, { zone, reasons: await reasonsFor(before) }),
    describeEarlierZone: (first: Day) => describeEarlierZone(db, first, zone),
    timesToAcceptance: async (query: LeadQuery) =>
      readTimesToAcceptance(db, query, await reasonsFor(query)),
    ledgerByAffiliate: (range: TimeRange) => readLedgerByAffiliate(db, range),
    moneyByDay: async (query: DailyMoneyQuery) =>
      readMoneyByDay(db, query, { zone, reasons: await reasonsFor(query) }),
    moneyByOrigin: async (by: 'source' | 'campaign', query: MoneyQuery) =>
      readMoneyByOrigin(db, by, query, await reasonsFor(query)),
    returnsByAge: (query: TimeRange & { readonly affiliateId?: string }) =>
      countReturnsByAge(db, query),
  }
}

export type FunnelReader = ReturnType<typeof makeFunnelReader>
