import type { Transaction } from 'kysely'
import { day } from '#domain/durations.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import { type KeepChange, runAuditedTransaction } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { sliceRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  describeImport,
  type ImportResult,
  readHeadings,
  rememberHeadings,
} from '#server/platform/mapped-csv.ts'
import {
  defaultReturnColumns,
  parseReturns,
  type ReturnColumns,
  type ReturnLine,
} from './parse-returns.ts'

export type ReturnsImportResult = ImportResult<keyof ReturnColumns>

interface ReturnsDependencies extends OperatorContext {
  readonly longQueryDb: LeadDatabase['longQueryDb']
  /** The time zone of times without an offset. */
  readonly zone: string
}

/** Makes the importer of lists of leads that the distributor accepted and later returned. */
export function makeReturnsImporter({ db, longQueryDb, clock, zone }: ReturnsDependencies) {
  return {
    columns: (): Promise<ReturnColumns> => readHeadings(db, 'return_columns', defaultReturnColumns),
    /**
     * Marks the leads of a file as returned, and remembers the file's headings. If any line is wrong, nothing changes.
     * A second import of the same file has no effect.
     */
    import: async (
      actor: Actor,
      text: string,
      headings: ReturnColumns,
    ): Promise<ReturnsImportResult> => {
      authorize(actor, 'import returns', clock())
      const parsed = await parseReturns(text, headings, zone)
      return runAuditedTransaction(
        { db: longQueryDb, clock },
        { actor, permission: 'import returns', action: 'imported returns' },
        (tx, now, keep) => importReturns(tx, parsed, { headings, now, keep }),
        (result) => (result.kind === 'refused' ? undefined : describeImport(result)),
      )
    },
  }
}

async function importReturns(
  tx: Transaction<StoreTables>,
  { rows: returns, columns, ...parsed }: Awaited<ReturnType<typeof parseReturns>>,
  { headings, now, keep }: { headings: ReturnColumns; now: number; keep: KeepChange },
): Promise<ReturnsImportResult> {
  const faults = [...parsed.faults]
  const before: Record<string, string> = {}
  const after: Record<string, string> = {}
  const counts = { recorded: 0, corrected: 0, known: 0 }
  const changed: ReturnLine[] = []
  const newlyReturned: string[] = []
  const leads = new Map((await lockLeads(tx, returns)).map((row) => [row.id, row]))
  for (const line of returns) {
    const lead = leads.get(line.leadId)
    const message = findFault(line, lead, now)
    if (message !== undefined) faults.push({ line: line.line, message })
    if (lead === undefined) continue
    // The reason is dropped if the lead is erased, because the reason may quote the person.
    const reason = lead.erased_at === null ? line.reason : null
    const isSame = lead.returned_at === line.returnedAt && lead.reason === reason
    counts[lead.returned_at === null ? 'recorded' : isSame ? 'known' : 'corrected'] += 1
    if (!isSame) changed.push({ ...line, reason })
    // The audit log, which nobody can erase, leaves reasons out: a reason may quote the person.
    if (lead.returned_at !== null) {
      before[`return of ${lead.id}`] = new Date(lead.returned_at).toISOString()
      after[`return of ${lead.id}`] = new Date(line.returnedAt).toISOString()
    }
    if (lead.returned_at === null && lead.erased_at === null) newlyReturned.push(lead.id)
  }
  if (faults.length > 0 || Object.keys(columns).length > 0) {
    const inOrder = faults.toSorted((one, other) => one.line - other.line)
    return { kind: 'refused', faults: inOrder, columns }
  }
  await keep({ before, after })
  for (const slice of sliceRows(changed)) await recordReturns(tx, slice, now)
  // The notification leaves the reason out, because the reason may quote the person.
  for (const leadIds of sliceRows(newlyReturned))
    await enqueueNotifications(tx, { event: 'returned', leadIds, at: now })
  await rememberHeadings(tx, 'return_columns', headings)
  return { kind: 'imported', ...counts }
}

/** Locks the leads, so that a concurrent erasure waits and then also removes the new reasons. */
async function lockLeads(tx: Transaction<StoreTables>, returns: readonly ReturnLine[]) {
  const ids = returns.map(({ leadId }) => leadId).toSorted()
  const rows = []
  for (const slice of sliceRows(ids)) rows.push(...(await lockSlice(tx, slice)))
  return rows
}

const lockSlice = (tx: Transaction<StoreTables>, ids: readonly string[]) =>
  tx
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .leftJoin('returns', 'returns.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at', 'leads.erased_at', 'deliveries.settled_as'])
    .select(['returns.returned_at', 'returns.reason'])
    .where('leads.id', 'in', ids)
    .orderBy('leads.id')
    .forNoKeyUpdate('leads')
    .execute()

function findFault(
  { returnedAt }: ReturnLine,
  lead: Awaited<ReturnType<typeof lockSlice>>[number] | undefined,
  now: number,
): string | undefined {
  if (lead === undefined) return 'there is no lead with this id'
  if (lead.settled_as !== 'delivered') return 'the distributor has not accepted this lead'
  if (returnedAt > now + day) return 'the date is in the future'
  if (returnedAt < lead.received_at - day) return 'the date is before the lead was received'
  return undefined
}

async function recordReturns(
  tx: Transaction<StoreTables>,
  lines: readonly ReturnLine[],
  now: number,
): Promise<void> {
  await tx
    .insertInto('returns')
    .values(
      lines.map(({ leadId, returnedAt, reason }) => ({
        lead_id: leadId,
        returned_at: returnedAt,
        reason,
        imported_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('lead_id').doUpdateSet((eb) => ({
        returned_at: eb.ref('excluded.returned_at'),
        reason: eb.ref('excluded.reason'),
        imported_at: eb.ref('excluded.imported_at'),
      })),
    )
    .execute()
  const ids = lines.map(({ leadId }) => leadId)
  await tx
    .updateTable('lead_index')
    .set((eb) => ({
      returned_at: eb
        .selectFrom('returns')
        .select('returned_at')
        .whereRef('returns.lead_id', '=', 'lead_index.lead_id'),
    }))
    .where('lead_id', 'in', ids)
    .execute()
}
