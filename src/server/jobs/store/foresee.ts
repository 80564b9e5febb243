import type { Kysely } from 'kysely'
import type { BulkAction } from '#domain/job/bulk-action.ts'
import { countBy } from '#domain/job/counts.ts'
import type { JobPlan } from '#domain/job/job.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import { findRetryRows, retryOutcomeOf } from '#server/delivery/retry-leads.ts'
import { dedupeKeyOfRow, keyColumns } from '#server/leads/dedupe-keys/dedupe-key-of-row.ts'
import { leadStatus, statusColumns } from '#server/leads/store/lead-status.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Database = Kysely<StoreTables>

interface Foreseen {
  readonly id: string
  readonly status: ReturnType<typeof leadStatus>
  readonly outcome: MemberOutcome
}

/** What an act would come to with each of these leads as it stands now. It only reads, and nothing waits for it. */
export async function foresee(
  db: Database,
  action: BulkAction,
  { leadIds, now }: { readonly leadIds: readonly string[]; readonly now: number },
): Promise<Pick<JobPlan, 'byStatus' | 'byOutcome'>> {
  const foreseen = leadIds.length === 0 ? [] : await foreseers[action](db, leadIds, now)
  return {
    byStatus: countBy(foreseen, ({ status }) => status),
    byOutcome: countBy(foreseen, ({ outcome }) => outcome),
  }
}

type Foresee = (
  db: Database,
  leadIds: readonly string[],
  now: number,
) => Promise<readonly Foreseen[]>

const foreseers: Readonly<Record<BulkAction, Foresee>> = {
  retry: async (db, leadIds, now) => {
    const rows = await findRetryRows(db, leadIds)
    const foreseen = rows.map((row) => {
      const status = leadStatus(row, now)
      return { id: row.id, status, outcome: retryOutcomeOf(row, now).kind }
    })
    const notTaken = foreseen.filter(
      ({ status, outcome }) => outcome === 'due' && (status === 'dead' || status === 'rejected'),
    )
    const repeating = await findRepeating(db, notTaken.map(idOf))
    return foreseen.map((one) => (repeating.has(one.id) ? { ...one, outcome: 'overtaken' } : one))
  },
  release: async (db, leadIds, now) => {
    const rows = await findStatuses(db, leadIds)
    const foreseen = rows.map((row): Foreseen => {
      const status = leadStatus(row, now)
      const outcome =
        status === 'quarantined' ? 'due' : status === 'erased' ? 'erased' : 'not quarantined'
      return { id: row.id, status, outcome }
    })
    const quarantined = foreseen.filter(({ outcome }) => outcome === 'due')
    const repeating = await findRepeating(db, quarantined.map(idOf))
    return foreseen.map((one) =>
      repeating.has(one.id) ? { ...one, outcome: 'released, owes none' } : one,
    )
  },
  erase: async (db, leadIds, now) => {
    const rows = await findStatuses(db, leadIds)
    return rows.map((row) => {
      const { settled_as, erased_by } = row
      const status = leadStatus(row, now)
      const outcome: MemberOutcome =
        erased_by === 'request'
          ? 'erased'
          : settled_as === 'delivered'
            ? 'erased after delivery'
            : status === 'leased'
              ? 'erased under way'
              : 'erased now'
      return { id: row.id, status, outcome }
    })
  },
}

const idOf = ({ id }: Foreseen): string => id

const findStatuses = (db: Database, leadIds: readonly string[]) =>
  db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.erased_by'])
    .select(statusColumns)
    .where('leads.id', 'in', leadIds)
    .execute()

/** Those of them for whose person another lead counts: the rule of `claimDedupeKeys`, asked without claiming. */
async function findRepeating(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const leads = await db
    .selectFrom('leads')
    .select(['id', 'received_at', ...keyColumns])
    .where('id', 'in', ids)
    .execute()
  const keyed = leads.map((lead) => ({ ...lead, key: dedupeKeyOfRow(lead) }))
  const rows = await db
    .selectFrom('enquirers')
    .select(['same_enquiry_hash', 'lead_id', 'received_at'])
    .where('same_enquiry_hash', 'in', [...new Set(keyed.map(({ key }) => key))])
    .execute()
  const holders = new Map(rows.map((row) => [row.same_enquiry_hash, row]))
  const repeating = keyed.filter(({ id, key, received_at }) => {
    const holder = holders.get(key)
    return (
      holder !== undefined &&
      holder.lead_id !== id &&
      holder.received_at > received_at - duplicateWindowMs
    )
  })
  return new Set(repeating.map(({ id }) => id))
}
