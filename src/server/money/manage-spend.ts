import type { Kysely, Transaction } from 'kysely'
import { addMonths, type Day, formatDay, startOfMonth, toDay } from '#domain/calendar.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import { formatDollars } from '#domain/text/formats.ts'
import { type KeepChange, runAuditedTransaction, toActorColumns } from '#server/operators/audit.ts'
import { authorize, nameFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { sliceRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  describeImport,
  type ImportCounts,
  type ImportResult,
  readHeadings,
  rememberHeadings,
} from '#server/platform/mapped-csv.ts'
import {
  defaultSpendColumns,
  makeSpendKey,
  parseSpend,
  parseSpendLine,
  type SpendColumns,
  type SpendField,
  type SpendLine,
} from './parse-spend.ts'

interface SpendDependencies extends OperatorContext {
  readonly longQueryDb: LeadDatabase['longQueryDb']
  readonly zone: string
}

/** Reads and changes what ads cost, for the console and the command line. */
export function makeSpendActions({ db, longQueryDb, clock, zone }: SpendDependencies) {
  const act = { permission: 'change ad spend', action: 'changed ad spend' } as const
  const today = () => toDay(clock(), zone)
  return {
    columns: (): Promise<SpendColumns> => readHeadings(db, 'spend_columns', defaultSpendColumns),
    /** Lists the spend of a month, by default of the latest with some. The latest day comes first. */
    list: async (actor: Actor, month?: Day) => {
      authorize(actor, 'see ad spend', clock())
      const listed = await listSpend(
        db,
        month ?? startOfMonth((await findLatestDay(db)) ?? today()),
      )
      const rows = listed.rows.map((row) => ({ ...row, setBy: nameFor(actor, row.setBy ?? '') }))
      return { ...listed, rows }
    },
    /**
     * Records what ads of one day, source and campaign cost. @returns the day, and the old and the new amount if it had
     * another; or an error message for each wrong field
     */
    add: async (actor: Actor, texts: SpendColumns): Promise<AddedSpend> => {
      authorize(actor, 'change ad spend', clock())
      const { line, errors } = parseSpendLine(texts, today())
      if (line === undefined) return { errors }
      const { corrections } = await runAuditedTransaction(
        { db, clock },
        { actor, ...act },
        (tx, now, keep) => saveSpend(tx, [line], { actor, now, keep }),
        ({ counts }) => describeImport(counts),
      )
      return { errors, day: line.day, correction: corrections[0] }
    },
    /**
     * Records the spend of a file, and remembers the file's headings. If any line is wrong, nothing changes. A second
     * import of the same file has no effect.
     */
    import: async (
      actor: Actor,
      text: string,
      headings: SpendColumns,
    ): Promise<ImportResult<SpendField>> => {
      authorize(actor, 'change ad spend', clock())
      const { rows, ...faults } = await parseSpend(text, headings, today())
      if (faults.faults.length > 0 || Object.keys(faults.columns).length > 0)
        return { kind: 'refused', ...faults }
      const { counts, corrections } = await runAuditedTransaction(
        { db: longQueryDb, clock },
        { actor, ...act },
        async (tx, now, keep) => {
          const saved = await saveSpend(tx, rows, { actor, now, keep })
          await rememberHeadings(tx, 'spend_columns', headings)
          return saved
        },
        ({ counts }) => describeImport(counts),
      )
      return { kind: 'imported', ...counts, corrections }
    },
  }
}

export interface AddedSpend {
  readonly errors: Readonly<Partial<SpendColumns>>
  readonly day?: Day
  readonly correction?: Correction | undefined
}

const findLatestDay = async (db: Kysely<StoreTables>): Promise<Day | undefined> =>
  (await db.selectFrom('spend').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst())
    ?.day

async function listSpend(db: Kysely<StoreTables>, month: Day) {
  const found = await db
    .selectFrom('spend')
    .leftJoin('operators', 'operators.id', 'operator_id')
    .select(['day', 'source', 'campaign', 'amount_cents', 'set_at as setAt'])
    .select((eb) => eb.fn.coalesce('operators.email', 'system_user').as('setBy'))
    .where('day', '>=', month)
    .where('day', '<', addMonths(month, 1))
    .orderBy('day', 'desc')
    .orderBy('source_key')
    .orderBy('campaign_key')
    .execute()
  const rows = found.map(({ amount_cents, ...row }) => ({
    ...row,
    amountCents: Number(amount_cents),
  }))
  const totalCents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return { month, rows, totalCents }
}

/** The old and the new amount of a day, source and campaign, such as `2026-10-03 google brand: $12.50 → $13.00`. */
type Correction = string

/** The console keeps corrections in a cookie for the next page. */
const maxShownName = 70

interface SpendChange {
  readonly actor: Actor
  readonly now: number
  readonly keep: KeepChange
}

async function saveSpend(
  tx: Transaction<StoreTables>,
  lines: readonly SpendLine[],
  { actor, now, keep }: SpendChange,
): Promise<{ readonly counts: ImportCounts; readonly corrections: readonly Correction[] }> {
  const stored = await readAmounts(
    tx,
    lines.map(({ day }) => day),
  )
  const { operator_id, system_user } = toActorColumns(actor)
  const counts = { recorded: 0, corrected: 0, known: 0 }
  const before: Record<string, string> = {}
  const after: Record<string, string> = {}
  const corrections: Correction[] = []
  const changed = lines.filter((line) => {
    const { day, source, campaign, amountCents } = line
    const amount = stored.get(makeSpendKey(line))
    counts[amount === undefined ? 'recorded' : amount === amountCents ? 'known' : 'corrected'] += 1
    if (amount !== undefined && amount !== amountCents) {
      // Nobody can erase the audit log, and a link may name a person.
      const name = [formatDay(day), maskCampaign(source), maskCampaign(campaign)].join(' ').trim()
      before[name] = formatDollars(amount)
      after[name] = formatDollars(amountCents)
      const short = name.length > maxShownName ? `${name.slice(0, maxShownName)}…` : name
      corrections.push(`${short.toWellFormed()}: ${before[name]} → ${after[name]}`)
    }
    return amount !== amountCents
  })
  await keep({ before, after })
  for (const slice of sliceRows(changed)) {
    await tx
      .insertInto('spend')
      .values(
        slice.map(({ day, source, campaign, amountCents }) => ({
          ...{ day, source, campaign, amount_cents: amountCents },
          ...{ source_key: makeOriginKey(source), campaign_key: makeOriginKey(campaign) },
          ...{ set_at: now, operator_id, system_user },
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['day', 'source_key', 'campaign_key']).doUpdateSet((eb) => ({
          amount_cents: eb.ref('excluded.amount_cents'),
          set_at: eb.ref('excluded.set_at'),
          operator_id: eb.ref('excluded.operator_id'),
          system_user: eb.ref('excluded.system_user'),
        })),
      )
      .execute()
  }
  return { counts, corrections }
}

/** Reads the stored amounts of some days, by {@link makeSpendKey}. */
async function readAmounts(
  tx: Transaction<StoreTables>,
  days: readonly Day[],
): Promise<ReadonlyMap<string, number>> {
  if (days.length === 0) return new Map()
  const [first, last] = [Math.min(...days), Math.max(...days)]
  const rows = await tx
    .selectFrom('spend')
    .select(['day', 'source', 'campaign', 'amount_cents'])
    .where('day', '>=', first)
    .where('day', '<=', last)
    .execute()
  return new Map(rows.map((row) => [makeSpendKey(row), Number(row.amount_cents)]))
}

/** Adds up the spend of the days from `first` to `last`, both included, in US cents. */
export async function readSpend(
  db: Kysely<StoreTables>,
  { first, last }: { readonly first: Day; readonly last: Day },
): Promise<number> {
  const rows = db.selectFrom('spend').where('day', '>=', first).where('day', '<=', last)
  const { sum } = await rows
    .select(({ fn }) => fn.sum<number>('amount_cents').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}
