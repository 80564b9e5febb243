import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { isErrorGroup } from '#domain/delivery/error-group.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type AttemptsBand, attemptsBands, type LeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { referenceIn, signalKey } from './lead-keys.ts'
import { isInDoubt } from './lead-status.ts'

export type LeadPlace = Pick<Lead, 'id' | 'receivedAt'>

export interface LeadSearch {
  readonly filter: LeadFilter
  /** Of a person: one of them is the lead's. Undefined without a search for a person. */
  readonly keys: readonly string[] | undefined
  /** Beyond this place. */
  readonly after?: LeadPlace | undefined
  readonly towards: 'older' | 'newer'
  readonly take: number
  /** Epoch milliseconds: an expired lease counts as none. */
  readonly now: number
}

/** The field that matched. */
export interface FoundLead extends LeadPlace {
  /** Null once erased, as are the rest; and where it has none. */
  readonly affiliate: string | null
  readonly state: string | null
  readonly isVerified: boolean | null
  /** In one word, how the last attempt failed. */
  readonly error: string | null
}

export interface FoundLeads {
  readonly leads: readonly FoundLead[]
  /** From where to go on; undefined where there is nothing more. */
  readonly next: LeadPlace | undefined
  /**
   * Set where the page is not full and all were not looked at: those received before it were not (those after it, where
   * it goes towards the newer). Epoch milliseconds.
   */
  readonly lookedUntil: number | undefined
}

export interface LeadCount {
  readonly leads: number
  /** False where there are more, or may be. */
  readonly isAll: boolean
}

/** A page, and how many there are from the newest on. */
export interface CountedPage extends FoundLeads {
  readonly count: LeadCount
}

export interface LeadFinder {
  find(search: LeadSearch): Promise<FoundLeads>
  findAndCount(search: LeadSearch): Promise<CountedPage>
  count(search: Pick<LeadSearch, 'filter' | 'keys' | 'now'>): Promise<LeadCount>
  /** The possible meanings of an operator's typed text; empty if it cannot be searched for. */
  keysOf(text: string): Promise<readonly string[]>
  readonly searches: LeadSearches
}

/** A search's text, under an opaque id. */
export interface LeadSearches {
  /** Resolves with its id. */
  keep(operatorId: string, keys: readonly string[], now: number): Promise<string>
  /** Undefined where it is another operator's, too old, or never was. */
  find(id: string, operatorId: string, now: number): Promise<readonly string[] | undefined>
}

type Database = Kysely<StoreTables>
type CountSearch = Pick<LeadSearch, 'filter' | 'keys' | 'now'>
type Condition = RawBuilder<unknown>

/**
 * One filter alone reads its own index, so that its page is exact. Of several filters, the one that is rarest by its kind is read
 * by its index, this many rows at most, and the others are checked on each row: a page that is not full then says how far back
 * it searched. The limit bounds every query, whatever the database thinks of the filters.
 */
const mostRowsRead = 10_000

/** More are "10,000+". */
const mostCounted = 10_000

/** A page of the leads that match a filter, and the place where the next page starts. */
export async function findLeads(db: Database, search: LeadSearch): Promise<FoundLeads> {
  const { filter, keys, now, after, take, towards } = search
  const reading = await startReading(db, { filter, keys, now }, { after, towards })
  const { driver, conditions, end } = reading
  const rowsFrom = (source: Source) => sql`
    select * from (
      ${conditions.length === 0 ? readRows(source, reading, take + 1) : checkRows(source, reading)}
    ) as part`
  const { rows } = await sql<IndexRow>`
    select * from (${sql.join(driver.map(rowsFrom), sql` union `)}) as lead_index
    order by received_at ${sql.raw(reading.order)}, lead_id ${sql.raw(reading.order)}
    limit ${take + 1}`.execute(db)
  const leads = rows.slice(0, take).map(toFoundLead)
  const last = leads.at(-1)
  const isFull = rows.length > take && last !== undefined
  return {
    leads,
    next: isFull ? { id: last.id, receivedAt: last.receivedAt } : end,
    lookedUntil: isFull ? undefined : end?.receivedAt,
  }
}

/** How many leads a filter means, up to 10,000; of several filters, as many as a page of them is searched among. */
export async function countLeads(
  db: Database,
  { filter, keys, now }: CountSearch,
): Promise<LeadCount> {
  const reading = await startReading(db, { filter, keys, now }, { towards: 'older' })
  const { driver, mayRepeat, conditions, end } = reading
  const idsFrom = (source: Source) => sql`
    select lead_id from (
      ${conditions.length === 0 ? readRows(source, reading, mostCounted + 1) : checkRows(source, reading)}
    ) as part`
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      ${sql.join(driver.map(idsFrom), mayRepeat ? sql` union ` : sql` union all `)}) as found`.execute(
    db,
  )
  const found = Number(rows[0]?.n ?? 0)
  return {
    leads: Math.min(found, mostCounted),
    isAll: end === undefined && found <= mostCounted,
  }
}

type IndexRow = Selectable<StoreTables['lead_index']>

const toFoundLead = (row: IndexRow): FoundLead => ({
  id: row.lead_id,
  receivedAt: row.received_at,
  affiliate: row.affiliate,
  state: row.state,
  isVerified: row.verified === null ? null : row.verified === 1,
  error: row.error,
})

/** The rows of one value of a filter, by an index that has them in the order of time. */
interface Source {
  /** The table of that index, joined with `lead_index`. */
  readonly from: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly where: Condition
}

interface Reading {
  readonly driver: readonly Source[]
  /** Whether two of its values may have one lead. */
  readonly mayRepeat: boolean
  /** The other filters. */
  readonly conditions: readonly Condition[]
  readonly filter: LeadFilter
  readonly after: LeadPlace | undefined
  /** The last row that is read; undefined where all are. */
  readonly end: LeadPlace | undefined
  readonly towards: LeadSearch['towards']
  readonly order: 'desc' | 'asc'
}

async function startReading(
  db: Database,
  search: CountSearch,
  { after, towards }: Pick<LeadSearch, 'after' | 'towards'>,
): Promise<Reading> {
  const { name, sources } = driverOf(search)
  const conditions = conditionsOf(search, name)
  const { filter } = search
  const order = towards === 'older' ? 'desc' : 'asc'
  const all = {
    driver: sources,
    mayRepeat: name !== undefined && repeating.includes(name),
    conditions,
    filter,
    after,
    end: undefined,
    towards,
    order,
  } as const
  return conditions.length === 0 ? all : { ...all, end: await endOf(db, all) }
}

/** Where so many rows have been read: of several values the nearest place, so that nothing between is left out. */
async function endOf(db: Database, reading: Reading): Promise<LeadPlace | undefined> {
  const { driver, order } = reading
  const each = Math.ceil(mostRowsRead / driver.length)
  const places = driver.map(
    (source) => sql`
      select * from (
        select ${source.time} as received_at, ${source.id} as lead_id
        from ${source.from} where ${within(source, reading)} ${inOrder(source, reading)}
        limit 1 offset ${each}) as place`,
  )
  const { rows } = await sql<{ received_at: number; lead_id: string }>`
    select * from (${sql.join(places, sql` union all `)}) as places
    order by received_at ${sql.raw(order)}, lead_id ${sql.raw(order)} limit 1`.execute(db)
  const [row] = rows
  return row && { id: row.lead_id, receivedAt: row.received_at }
}

const readRows = (source: Source, reading: Reading, limit: number) => sql`
  select lead_index.* from ${source.from}
  where ${within(source, reading)} ${inOrder(source, reading)} limit ${limit}`

/** The limit keeps the two steps apart: a database that joins them may read the whole table. */
const checkRows = (source: Source, reading: Reading) => sql`
  select lead_index.* from (${readRows(source, reading, mostRowsRead + 1)}) as lead_index
  where ${sql.join(reading.conditions, sql` and `)}`

const inOrder = ({ time, id }: Source, { order }: Reading) =>
  sql`order by ${time} ${sql.raw(order)}, ${id} ${sql.raw(order)}`

function within({ where, time, id }: Source, { filter, after, end, towards }: Reading): Condition {
  const [beyond, upTo] = towards === 'older' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`]
  return sql.join(
    [
      where,
      ...(filter.since === undefined ? [] : [sql`${time} >= ${filter.since}`]),
      ...(filter.until === undefined ? [] : [sql`${time} < ${filter.until}`]),
      ...(after ? [sql`(${time}, ${id}) ${beyond} (${after.receivedAt}, ${after.id})`] : []),
      ...(end ? [sql`(${time}, ${id}) ${upTo} (${end.receivedAt}, ${end.id})`] : []),
    ],
    sql` and `,
  )
}

const ofIndex = (where: Condition): Source => ({
  from: sql`lead_index`,
  time: sql.ref('lead_index.received_at'),
  id: sql.ref('lead_index.lead_id'),
  where,
})

const byKey = (key: string): Source => {
  const reference = referenceIn(key)
  if (reference !== undefined) return ofIndex(sql`lead_index.lead_id = ${reference}`)
  return {
    from: sql`lead_keys inner join lead_index on lead_index.lead_id = lead_keys.lead_id`,
    time: sql.ref('lead_keys.received_at'),
    id: sql.ref('lead_keys.lead_id'),
    where: sql`lead_keys.key = ${key}`,
  }
}

const byDoubt: Source = {
  from: sql`deliveries inner join lead_index on lead_index.lead_id = deliveries.lead_id`,
  time: sql.ref('deliveries.created_at'),
  id: sql.ref('deliveries.lead_id'),
  where: isInDoubt,
}

const byColumn = (column: string, value: string | number): Source =>
  ofIndex(sql`${sql.ref(`lead_index.${column}`)} = ${value}`)

/** In the words of its index: a database takes a partial index for no others. */
const byAttempts = (band: AttemptsBand): Source =>
  ofIndex(sql`lead_index.attempts <> 1 and
    (case when lead_index.attempts = 0 then 0 when lead_index.attempts < 5 then 2
      when lead_index.attempts < 20 then 5 else 20 end) = ${sql.lit(attemptsBands[band].from)}`)

type FilterName = Exclude<keyof LeadFilter, 'since' | 'until'> | 'keys'

/** The filter to read by: the first that says anything, the rarest kinds first. */
function driverOf({ filter, keys = [] }: CountSearch): {
  readonly name: FilterName | undefined
  readonly sources: readonly Source[]
} {
  const { status, verified, attempts } = filter
  const isUnverified = verified.length === 1 && verified[0] === false
  const statuses = indexedStatuses(status).map((value) => byColumn('status', value))
  const kinds: readonly (readonly [FilterName, readonly Source[]])[] = [
    ['keys', keys.map(byKey)],
    ['restored', filter.restored.map(() => byDoubt)],
    ['signal', filter.signal.map(signalKey).map(byKey)],
    ['error', filter.error.map((error) => byColumn(errorColumn(error), error))],
    ['verified', isUnverified ? [byColumn('verified', sql.lit(0) as unknown as number)] : []],
    ['attempts', attempts.includes('1') ? [] : attempts.map(byAttempts)],
    ['status', status.includes('delivered') ? [] : statuses],
    ['affiliate', filter.affiliate.map((affiliate) => byColumn('affiliate', affiliate))],
    ['program', filter.program.map((program) => byColumn('program', program))],
    ['state', filter.state.map((state) => byColumn('state', state))],
    ['status', statuses],
    ['area', filter.area.map((area) => byColumn('area', area))],
  ]
  const found = kinds.find(([, sources]) => sources.length > 0)
  return found === undefined
    ? { name: undefined, sources: [ofIndex(sql`1 = 1`)] }
    : { name: found[0], sources: found[1] }
}

/** Two values of these may have the same lead. */
const repeating: readonly FilterName[] = ['keys', 'signal', 'error']

/** A filter on an error may name a group of errors. */
const errorColumn = (error: string) => (isErrorGroup(error) ? 'error_group' : 'error')

const indexedStatuses = (statuses: readonly LeadStatus[]): readonly IndexedStatus[] => [
  ...new Set(
    statuses.map((status) => (status === 'pending' || status === 'leased' ? 'owed' : status)),
  ),
]

/**
 * The conditions on a row of `lead_index`, besides its time.
 * @param read the filter whose rows are read, which needs no check
 */
export function conditionsOf(
  { filter, keys, now }: CountSearch,
  read?: FilterName,
): readonly Condition[] {
  const conditions: Condition[] = []
  const check = (name: FilterName, values: readonly unknown[], condition: () => Condition) => {
    if (values.length > 0 && name !== read) conditions.push(condition())
  }
  const isOneOf = (column: string, values: readonly unknown[]) =>
    sql`${sql.ref(`lead_index.${column}`)} in (${sql.join(values)})`
  const { area, program, affiliate, state, signal, error, verified, attempts, status } = filter
  check('status', status, () => isOneOf('status', indexedStatuses(status)))
  check('area', area, () => isOneOf('area', area))
  check('program', program, () => isOneOf('program', program))
  check('affiliate', affiliate, () => isOneOf('affiliate', affiliate))
  check('state', state, () => isOneOf('state', state))
  check('error', error, () =>
    anyOf(error.map((one) => sql`${sql.ref(`lead_index.${errorColumn(one)}`)} = ${one}`)),
  )
  check('verified', verified, () =>
    isOneOf(
      'verified',
      verified.map((isFound) => (isFound ? 1 : 0)),
    ),
  )
  check('attempts', attempts, () =>
    anyOf(
      attempts.map((band) => {
        const { from, to } = attemptsBands[band]
        return sql`lead_index.attempts between ${from} and ${to}`
      }),
    ),
  )
  check('signal', signal, () => hasKey(signal.map(signalKey)))
  if (keys !== undefined && read !== 'keys') conditions.push(hasKey(keys))
  check(
    'restored',
    filter.restored,
    () => sql`exists (
      select 1 from deliveries where deliveries.lead_id = lead_index.lead_id and ${isInDoubt})`,
  )
  // The index has both as `owed`: only the time distinguishes a valid lease from an expired one.
  const [isPending, isLeased] = [status.includes('pending'), status.includes('leased')]
  if (isPending !== isLeased) {
    const leased = sql`exists (
      select 1 from deliveries where deliveries.lead_id = lead_index.lead_id
      and deliveries.settled_as is null and deliveries.leased_until > ${now})`
    conditions.push(sql`(lead_index.status <> 'owed' or ${isLeased ? leased : sql`not ${leased}`})`)
  }
  return conditions
}

const anyOf = (conditions: readonly Condition[]) => sql`(${sql.join(conditions, sql` or `)})`

const hasKey = (keys: readonly string[]): Condition => {
  const references = keys.flatMap((key) => referenceIn(key) ?? [])
  const hashes = keys.filter((key) => referenceIn(key) === undefined)
  return anyOf([
    ...(references.length === 0 ? [] : [sql`lead_index.lead_id in (${sql.join(references)})`]),
    ...(hashes.length === 0
      ? []
      : [
          sql`exists (
            select 1 from lead_keys where lead_keys.key in (${sql.join(hashes)})
            and lead_keys.received_at = lead_index.received_at
            and lead_keys.lead_id = lead_index.lead_id)`,
        ]),
    ...(keys.length === 0 ? [sql`1 = 0`] : []),
  ])
}
