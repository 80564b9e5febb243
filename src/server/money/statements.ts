import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, type RawBuilder, sql, type Transaction } from 'kysely'
import {
  addMonths,
  type Day,
  formatMonth,
  startOfDay,
  startOfMonth,
  toDay,
} from '#domain/calendar.ts'
import { day } from '#domain/durations.ts'
import type { MoneySums } from '#domain/money/ledger.ts'
import {
  findFirstMonth,
  type Statement,
  type StatementLine,
  sumStatementLines,
} from '#domain/money/statement.ts'
import { formatAmount, formatDollars } from '#domain/text/formats.ts'
import { runAuditedTransaction, toActorColumns } from '#server/operators/audit.ts'
import { authorize, nameFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { formatCsvLine } from '#server/platform/export-formats.ts'
import { readSpend } from './manage-spend.ts'
import { readLedgerSums } from './read-ledger.ts'

type Db = Kysely<StoreTables>

/** `not over`: the month still runs, so its numbers can't be final. */
export type CloseOutcome = 'closed' | 'closed before' | 'not over' | 'no affiliate'

/** Reads and closes the statements of affiliates, for the console and the command line. Months are in the school's zone. */
export function makeStatementActions({ db, clock }: OperatorContext, { zone }: { zone: string }) {
  return {
    /** Lists the statements of a month: of each affiliate, and of removed affiliates that have entries. */
    list: async (actor: Actor, month: Day): Promise<readonly Statement[]> => {
      authorize(actor, 'see statements', clock())
      return (await readStatements(db, month, zone)).map((one) => hideCloser(actor, one))
    },
    /** Adds up what a month earned and cost, for all leads. */
    readMoney: async (actor: Actor, month: Day): Promise<MoneySums> => {
      authorize(actor, 'see statements', clock())
      const next = addMonths(month, 1)
      const range = { since: startOfDay(month, zone), until: startOfDay(next, zone) }
      const spendCents = await readSpend(db, { first: month, last: next - day })
      return { ...(await readLedgerSums(db, range)), spendCents }
    },
    /** @returns undefined if there is no such affiliate */
    find: async (actor: Actor, affiliate: string, month: Day): Promise<Statement | undefined> => {
      authorize(actor, 'see statements', clock())
      const [found] = await readStatements(db, month, zone, affiliate)
      return found && hideCloser(actor, found)
    },
    /** Lists the months that are over and have leads on an open statement, the earliest first. */
    listOpenMonths: async (actor: Actor): Promise<readonly OpenMonth[]> => {
      authorize(actor, 'see statements', clock())
      return readOpenMonths(db, findLastMonth(clock(), zone), zone)
    },
    /** Freezes the numbers of a statement. Whatever comes later is on the next open statement. */
    close: (actor: Actor, affiliate: string, month: Day): Promise<CloseOutcome> =>
      runAuditedTransaction(
        { db, clock },
        { actor, permission: 'close statements', action: 'closed a statement', subject: affiliate },
        async (tx, now, keep) => {
          if (startOfDay(addMonths(month, 1), zone) > now) return 'not over'
          const closed = await closeStatement(tx, affiliate, { month, zone, now, actor })
          if (typeof closed === 'string') return closed
          const after = { month: formatMonth(month), owed: formatDollars(closed.owedCents) }
          await keep({ target: closed.name, after })
          return 'closed'
        },
        (outcome) => (outcome === 'closed' ? outcome : undefined),
      ),
  }
}

/** Finds the last month that is over: its statement is the next to close. */
export const findLastMonth = (now: number, zone: string): Day =>
  addMonths(startOfMonth(toDay(now, zone)), -1)

/** A month, and how many affiliates have an open statement for it. */
export interface OpenMonth {
  readonly month: Day
  readonly open: number
}

async function readOpenMonths(db: Db, last: Day, zone: string): Promise<readonly OpenMonth[]> {
  const { first } = await db
    .selectFrom('lead_ledger')
    .select(({ fn }) => fn.min<number | null>('at').as('first'))
    .executeTakeFirstOrThrow()
  const months: RawBuilder<unknown>[] = []
  for (let month = last; first !== null; month = addMonths(month, -1)) {
    const [since, until] = [startOfDay(month, zone), startOfDay(addMonths(month, 1), zone)]
    if (until <= Number(first)) break
    months.push(sql`(${sql.lit(month)}, ${sql.lit(since)}, ${sql.lit(until)})`)
  }
  if (months.length === 0) return []
  const closedFor = (table: string) =>
    sql`select 1 from statements where affiliate_id = one.id and statements.month = ${sql.ref(`${table}.month`)}`
  // The second condition finds entries that came after their own month was closed, as `findFirstMonth` does.
  const { rows } = await sql<OpenMonth>`
    with months(month, since, until) as (values ${sql.join(months)})
    select months.month, count(*) as open
    from months cross join (select id from affiliates union select id from removed_affiliates) as one
    where not exists (${closedFor('months')}) and (
      exists (select 1 from lead_ledger where affiliate_id = one.id and at >= since and at < until)
      or exists (
        select 1 from lead_ledger where affiliate_id = one.id and statement_id is null and at < since
          and at >= coalesce((
            select max(earlier.until) from months as earlier
            where earlier.month < months.month and not exists (${closedFor('earlier')})), 0)))
    group by months.month order by months.month`.execute(db)
  return rows.map(({ month, open }) => ({ month: Number(month), open: Number(open) }))
}

const hideCloser = (actor: Actor, statement: Statement): Statement => {
  const { closed } = statement
  return { ...statement, closed: closed && { ...closed, by: nameFor(actor, closed.by) } }
}

async function readStatements(
  db: Db,
  month: Day,
  zone: string,
  affiliate?: string,
): Promise<readonly Statement[]> {
  const names = await listNames(db, affiliate)
  const closed = await readClosed(db, affiliate)
  const isClosed = (id: string) => closed.some((one) => one.affiliate === id && one.month === month)
  const open = [...names.keys()].filter((id) => !isClosed(id))
  const firstOf = (id: string) =>
    findFirstMonth(
      month,
      new Set(closed.filter((one) => one.affiliate === id).map((one) => one.month)),
    )
  const found: Statement[] = closed.filter((one) => one.month === month)
  for (const [first, ids] of Map.groupBy(open, firstOf)) {
    const [since, until] = [startOfDay(first, zone), startOfDay(addMonths(month, 1), zone)]
    const lines = await readLines(db, {
      isWithin: (entry) =>
        sql`${entry('statement_id')} is null and ${entry('at')} >= ${since} and ${entry('at')} < ${until}`,
      affiliates: ids,
    })
    for (const id of ids) {
      const own = lines.get(id) ?? []
      const { name, isRemoved } = names.get(id) ?? { name: id, isRemoved: true }
      if (isRemoved && own.length === 0 && affiliate === undefined) continue
      const sums = sumStatementLines(own)
      found.push({ affiliate: id, name, month, closed: undefined, lines: own, ...sums })
    }
  }
  return found.toSorted((one, other) => one.name.localeCompare(other.name, 'en-US'))
}

/** Lists the affiliates' names. Removed affiliates may still be owed for leads. */
async function listNames(db: Db, affiliate: string | undefined) {
  const [known, removed] = await Promise.all(
    (['affiliates', 'removed_affiliates'] as const).map((table) => {
      const rows = db.selectFrom(table).select(['id', 'name'])
      return (affiliate === undefined ? rows : rows.where('id', '=', affiliate)).execute()
    }),
  )
  const names = new Map<string, { readonly name: string; readonly isRemoved: boolean }>()
  for (const { id, name } of removed ?? []) names.set(id, { name, isRemoved: true })
  for (const { id, name } of known ?? []) names.set(id, { name, isRemoved: false })
  return names
}

/** Reads closed statements exactly as they were stored. */
async function readClosed(db: Db, affiliate: string | undefined): Promise<readonly Statement[]> {
  let rows = db
    .selectFrom('statements')
    .leftJoin('operators', 'operators.id', 'statements.operator_id')
    .selectAll('statements')
    .select('operators.email')
  if (affiliate !== undefined) rows = rows.where('affiliate_id', '=', affiliate)
  return (await rows.execute()).map((row) => ({
    affiliate: row.affiliate_id,
    name: row.affiliate_name,
    month: row.month,
    closed: { at: row.closed_at, by: row.email ?? row.system_user ?? '' },
    lines: JSON.parse(row.lines) as readonly StatementLine[],
    accepted: row.accepted,
    returned: row.returned,
    reversed: row.reversed,
    owedCents: Number(row.owed_cents),
  }))
}

type EntryColumn = (column: 'at' | 'statement_id') => RawBuilder<unknown>

interface EntryQuery {
  /** Makes the condition of the statement's entries. */
  readonly isWithin: (entry: EntryColumn) => RawBuilder<unknown>
  readonly affiliates: readonly string[]
}

async function readLines(
  db: Db,
  { isWithin, affiliates }: EntryQuery,
): Promise<ReadonlyMap<string, readonly StatementLine[]>> {
  if (affiliates.length === 0) return new Map()
  const of =
    (table: string): EntryColumn =>
    (column) =>
      sql.ref(`${table}.${column}`)
  const payout = sql`case when entry.kind = 'accepted' then entry.payout_cents else -entry.payout_cents end`
  const { rows } = await sql<StatementLine & { affiliate: string }>`
    select entry.affiliate_id as affiliate, ${payout} as "payoutCents",
      count(case when entry.kind = 'accepted' then 1 end) as accepted,
      count(case when entry.kind = 'returned' and ${isWithin(of('origin'))} then 1 end) as returned,
      count(case when entry.kind = 'returned' and (${isWithin(of('origin'))}) is not true then 1 end) as reversed,
      coalesce(sum(entry.payout_cents), 0) as "owedCents"
    from lead_ledger as entry
      inner join lead_ledger as origin on origin.lead_id = entry.lead_id and origin.kind = 'accepted'
    where entry.affiliate_id in (${sql.join(affiliates)}) and ${isWithin(of('entry'))}
    group by entry.affiliate_id, ${payout} order by coalesce(${payout}, 0)`.execute(db)
  const linesOf = Map.groupBy(rows, ({ affiliate }) => affiliate)
  return new Map([...linesOf].map(([affiliate, own]) => [affiliate, own.map(toLine)]))
}

/** PostgreSQL returns counts and sums as texts. */
const toLine = ({ payoutCents, accepted, returned, reversed, owedCents }: StatementLine) => ({
  payoutCents,
  accepted: Number(accepted),
  returned: Number(returned),
  reversed: Number(reversed),
  owedCents: Number(owedCents),
})

interface Closing {
  readonly month: Day
  readonly zone: string
  readonly now: number
  readonly actor: Actor
}

/**
 * Marks the entries of a statement, and stores the sums of exactly the marked entries. An entry that another transaction
 * adds meanwhile is not marked, so it is on the next open statement.
 */
async function closeStatement(
  tx: Transaction<StoreTables>,
  affiliate: string,
  { month, zone, now, actor }: Closing,
): Promise<Statement | Exclude<CloseOutcome, 'closed' | 'not over'>> {
  // A second operator waits, and then finds the statement closed.
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`lock table statements in share row exclusive mode`.execute(tx)
  const { name } = (await listNames(tx, affiliate)).get(affiliate) ?? {}
  if (name === undefined) return 'no affiliate'
  const closed = new Set((await readClosed(tx, affiliate)).map((one) => one.month))
  if (closed.has(month)) return 'closed before'
  const id = randomUUIDv7()
  await tx
    .updateTable('lead_ledger')
    .set({ statement_id: id })
    .where('affiliate_id', '=', affiliate)
    .where('statement_id', 'is', null)
    .where('at', '>=', startOfDay(findFirstMonth(month, closed), zone))
    .where('at', '<', startOfDay(addMonths(month, 1), zone))
    .execute()
  const marked = await readLines(tx, {
    isWithin: (entry) => sql`${entry('statement_id')} = ${id}`,
    affiliates: [affiliate],
  })
  const lines = marked.get(affiliate) ?? []
  const { owedCents, ...counts } = sumStatementLines(lines)
  const { operator_id, system_user } = toActorColumns(actor)
  await tx
    .insertInto('statements')
    .values({
      ...{ id, affiliate_id: affiliate, affiliate_name: name, month, lines: JSON.stringify(lines) },
      ...{ ...counts, owed_cents: owedCents, closed_at: now, operator_id, system_user },
    })
    .execute()
  return { affiliate, name, month, closed: undefined, lines, owedCents, ...counts }
}

/** Formats a statement as CSV, with a line of totals. Amounts are US dollars. */
export function formatStatementCsv({ name, month, lines, ...sums }: Statement): string {
  // A text that begins with a minus sign would get an apostrophe, as a formula.
  const dollars = (cents: number | null) =>
    cents === null || cents >= 0 ? formatAmount(cents) : cents / 100
  const begin = [name, formatMonth(month)]
  const count = ({ accepted, returned, reversed, owedCents }: typeof sums | StatementLine) => [
    ...[accepted, returned, reversed],
    dollars(owedCents),
  ]
  return [
    ['affiliate', 'month', 'payout', 'accepted', 'returned', 'reversed', 'owed'],
    ...lines.map((line) => [...begin, dollars(line.payoutCents), ...count(line)]),
    [...begin, 'total', ...count(sums)],
  ]
    .map(formatCsvLine)
    .join('')
}
