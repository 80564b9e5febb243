import { setTimeout } from 'node:timers/promises'
import type { Selectable, Transaction } from 'kysely'
import { listVisitEvents, maxVisitMs, mergeVisits, type Visit } from '#domain/measuring/visit.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countVisits } from './funnel-rollup.ts'

const hourMs = 3_600_000

/** The server counts a visit once no report of it has arrived for this long. */
const idleMs = hourMs

/** A counted visit stays in the table until 48 hours after its start, so that a late report cannot count it again. */
const keepVisitMs = 48 * hourMs

/** The maximum number of visits in the table, about 50 MB. Further visits are not measured until old ones are deleted. */
const maxVisits = 100_000

/** How many visits one transaction counts. Each visit changes eight rows, and on SQLite leads wait meanwhile. */
const visitsPerCount = 25
const betweenCountsMs = 100

type VisitRow = Selectable<StoreTables['visits']>

/** Each process counts the table's rows again after adding this many visits, and may exceed the limit by as many. */
const visitsPerRecount = 2000

/** Stores and counts visits. Times are epoch milliseconds. */
export const makeVisitStore = ({ db }: Pick<LeadDatabase, 'db'>, max = maxVisits) => {
  let room = 0
  return {
    /** Merges reports into the stored visits. @param visits the reports, at most one for each visit */
    save: async (visits: readonly Visit[], now: number): Promise<void> => {
      if (room < visits.length) {
        const stored = await countRows(db.selectFrom('visits'))
        room = Math.min(Math.max(0, max - stored), visitsPerRecount)
      }
      room -= await runInTransaction(db, (store) => saveVisits(store, visits, now, room))
    },
    /** Counts the visits that have ended, and deletes visits that began more than 48 hours ago. */
    countEnded: async (now: number): Promise<void> => {
      while (
        (await runInTransaction(db, (store) => countEndedVisits(store, now))) === visitsPerCount
      ) {
        await setTimeout(betweenCountsMs)
      }
      await db
        .deleteFrom('visits')
        .where('began_at', '<', now - keepVisitMs)
        .execute()
    },
  }
}

export type VisitStore = ReturnType<typeof makeVisitStore>

/** @param room the maximum number of new visits to store @returns the number of new visits */
async function saveVisits(
  store: Transaction<StoreTables>,
  visits: readonly Visit[],
  now: number,
  room: number,
): Promise<number> {
  const ids = visits.map(({ id }) => id)
  const rows = await store
    .selectFrom('visits')
    .selectAll()
    .where('id', 'in', ids)
    // Locking rows in a fixed order prevents a deadlock between two processes.
    .orderBy('id')
    .forUpdate()
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  let left = room
  const changed = visits
    .filter(({ id }) => (known.has(id) ? known.get(id)?.folded_at === null : left-- > 0))
    .map((visit) => {
      const row = known.get(visit.id)
      return toRow(row ? mergeVisits(toVisit(row), visit) : visit, now, row)
    })
  if (changed.length === 0) return 0
  await store
    .insertInto('visits')
    .values(changed.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        seen_at: ref('excluded.seen_at'),
        area: ref('excluded.area'),
        device: ref('excluded.device'),
        program: ref('excluded.program'),
        source: ref('excluded.source'),
        campaign: ref('excluded.campaign'),
        affiliate: ref('excluded.affiliate'),
        progress: ref('excluded.progress'),
      })),
    )
    .execute()
  return room - Math.max(left, 0)
}

const toRow = (
  { progress, ...visit }: Visit,
  now: number,
  known: VisitRow | undefined,
): VisitRow => ({
  ...visit,
  began_at: known?.began_at ?? now - progress.openMs,
  seen_at: now,
  progress: JSON.stringify(progress),
  folded_at: null,
})

const toVisit = ({ began_at: _, seen_at, folded_at, progress, ...visit }: VisitRow): Visit => ({
  ...visit,
  progress: JSON.parse(progress),
})

/** Counts some of the visits that have ended. @returns how many visits it has counted */
async function countEndedVisits(store: Transaction<StoreTables>, now: number): Promise<number> {
  const rows = await store
    .selectFrom('visits')
    .selectAll()
    .where('folded_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('seen_at', '<', now - idleMs), eb('began_at', '<', now - maxVisitMs)]),
    )
    .orderBy('seen_at')
    .limit(visitsPerCount)
    .forUpdate()
    .skipLocked()
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const unnamed = { program: null, source: null, campaign: null, affiliate: null }
  await store
    .updateTable('visits')
    .set({ folded_at: now, progress: '', ...unnamed })
    .where('id', 'in', ids)
    .execute()
  await countVisits(
    store,
    rows.map((row) => {
      const { progress, ...group } = toVisit(row)
      return { at: row.began_at, group, events: listVisitEvents(progress) }
    }),
  )
  return rows.length
}
