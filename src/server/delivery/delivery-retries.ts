import type { Kysely, Selectable, Transaction } from 'kysely'
import { claimDedupeKeysAgain } from '#server/leads/dedupe-keys.ts'
import { whyUnreadable } from '#server/leads/lead-payload.ts'
import { endedColumns, endedOf, recordEndings } from '#server/leads/store/delivery-endings.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { DeliveryRetries, EndedDeliveries } from './retry-deliveries.ts'
import { makeDue, retryLeads } from './retry-leads.ts'

export function makeDeliveryRetries({
  db,
  patient,
}: Pick<LeadDatabase, 'db' | 'patient'>): DeliveryRetries {
  return {
    retry: (leadId, now) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          const outcomes = await retryLeads(store, [leadId], now)
          return outcomes.get(leadId) ?? { kind: 'unknown' }
        }),
      ),
    retryEnded: (batch) =>
      retryConflicts(() => patient.transaction().execute((store) => retryBatch(store, batch))),
  }
}

type Ended = Pick<Selectable<StoreTables['leads']>, 'payload'> & {
  readonly settled_because: Selectable<StoreTables['deliveries']>['settled_because']
}

/** Of those that died of it: who is mended goes out. */
const stillUnreadable = ({ settled_because, payload }: Ended) =>
  settled_because === 'unreadable' ? whyUnreadable(payload) : undefined

/** Reads on by the order of the index, so that the last batch of 100,000 costs what the first does. */
async function retryBatch(
  db: Transaction<StoreTables>,
  { which, now, after, limit }: Parameters<DeliveryRetries['retryEnded']>[0],
): ReturnType<DeliveryRetries['retryEnded']> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('leads', 'leads.id', 'deliveries.lead_id')
    .select(['deliveries.lead_id', 'deliveries.created_at'])
    .select(['deliveries.settled_because', 'leads.payload'])
    .select(endedColumns)
    .where((eb) => eb.and(endedBy(which)))
    .where('leads.erased_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('deliveries.created_at', 'deliveries.lead_id'),
          '>',
          tuple(after?.receivedAt ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('deliveries.created_at')
    .orderBy('deliveries.lead_id')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return { due: 0, overtaken: 0, unreadable: 0, end: undefined }
  const readable = rows.filter((row) => stillUnreadable(row) === undefined)
  const leads = readable.map(({ lead_id }) => lead_id)
  const counting = await claimDedupeKeysAgain(db, leads)
  const free = leads.filter((id) => counting.get(id) === id)
  const due = free.length === 0 ? new Set<string>() : await makeEndedDue(db, { which, free, now })
  const ended = readable.flatMap((row) => (due.has(row.lead_id) && endedOf(row)) || [])
  await recordEndings(db, ended, now)
  return {
    due: due.size,
    overtaken: counting.size - free.length,
    unreadable: rows.length - readable.length,
    end: { receivedAt: last.created_at, id: last.lead_id },
  }
}

async function makeEndedDue(
  db: Kysely<StoreTables>,
  wish: { readonly which: EndedDeliveries; readonly free: readonly string[]; readonly now: number },
): Promise<ReadonlySet<string>> {
  const changed = await makeDue(db, wish.now)
    .where('lead_id', 'in', wish.free)
    .where((eb) => eb.and(endedBy(wish.which)))
    .returning('lead_id')
    .execute()
  return new Set(changed.map(({ lead_id }) => lead_id))
}

const endedBy = (which: EndedDeliveries) =>
  which === 'dead'
    ? ({ settled_as: 'dead' } as const)
    : ({ settled_as: 'rejected', settled_because: 'cap' } as const)
