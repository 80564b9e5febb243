import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { ExportedLead } from './export-leads.ts'
import type { LeadPlace } from './find-leads.ts'
import { findCorrections, selectRecords, toRecord } from './lead-row.ts'
import { hasStatus, isInDoubt } from './lead-status.ts'
import type { LeadChoice } from './read-leads.ts'

/** A page of leads, oldest first, after the lead `after` if it is given. */
export interface PageQuery extends ChoiceAt {
  readonly after?: LeadPlace | undefined
  readonly take: number
}

export const makeLeadPages = (db: Kysely<StoreTables>) => ({
  page: (query: PageQuery) => retryConflicts(() => readPage(db, query)),
  count: (choice: ChoiceAt) => retryConflicts(() => countChosen(db, choice)),
})

export type LeadPages = ReturnType<typeof makeLeadPages>

/** `now` is epoch milliseconds; a lead's status depends on it. */
type ChoiceAt = LeadChoice & { readonly now: number }

async function readPage(
  db: Kysely<StoreTables>,
  { after, take, ...choice }: PageQuery,
): Promise<readonly ExportedLead[]> {
  const rows = await selectRecords(db)
    .leftJoin('attempts as last', (join) =>
      join.on('last.id', '=', (eb) =>
        eb
          .selectFrom('attempts')
          .select('attempts.id')
          .whereRef('attempts.delivery_id', '=', 'deliveries.id')
          .orderBy('started_at', 'desc')
          .orderBy('attempts.id', 'desc')
          .limit(1),
      ),
    )
    .select([
      'last.outcome as last_outcome',
      'last.reason as last_reason',
      'last.detail as last_response',
    ])
    .where((eb) => isChosen(eb, choice))
    .where((eb) => isBeyond(eb, after, 'newer'))
    .orderBy('lead_index.received_at')
    .orderBy('lead_index.lead_id')
    .limit(take)
    .execute()
  const corrections = await findCorrections(
    db,
    rows.map(({ lead_id }) => lead_id),
  )
  const reading = { now: choice.now, corrections }
  return rows.map((row) =>
    toRecord(row, reading, {
      attempts: row.attempts ?? 0,
      lastOutcome: row.last_outcome,
      lastReason: row.last_reason,
      lastResponse: row.last_response,
    }),
  )
}

async function countChosen(db: Kysely<StoreTables>, choice: ChoiceAt): Promise<number> {
  const { n } = await db
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => isChosen(eb, choice))
    .executeTakeFirstOrThrow()
  return n
}

export function isChosen(
  eb: ExpressionBuilder<StoreTables, 'leads' | 'lead_index' | 'deliveries'>,
  { status, area, ids, isRestored, isUnreadable, since, until, now }: ChoiceAt,
): Expression<SqlBool> {
  return eb.and([
    ...(status === undefined ? [] : [hasStatus(eb, status, now)]),
    ...(isRestored ? [isInDoubt] : []),
    ...(isUnreadable
      ? [
          eb('deliveries.settled_because', '=', 'unreadable'),
          eb('deliveries.lead_erased_at', 'is', null),
        ]
      : []),
    ...(ids === undefined ? [] : [eb('leads.id', 'in', ids)]),
    ...(area === undefined ? [] : [eb('lead_index.area', '=', area)]),
    ...(since === undefined ? [] : [eb('lead_index.received_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('lead_index.received_at', '<', until)]),
  ])
}

/** Matches leads beyond a place, or all without one. An offset would read a million rows to show the last page. */
export const isBeyond = (
  eb: ExpressionBuilder<StoreTables, 'lead_index'>,
  place: LeadPlace | undefined,
  towards: 'older' | 'newer',
): Expression<SqlBool> =>
  place === undefined
    ? eb.and([])
    : eb(
        eb.refTuple('lead_index.received_at', 'lead_index.lead_id'),
        towards === 'older' ? '<' : '>',
        eb.tuple(place.receivedAt, place.id),
      )
