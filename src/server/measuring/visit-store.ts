import type { Selectable, Transaction } from 'kysely'
import { hour } from '#domain/durations.ts'
import { listVisitEvents, maxVisitMs, mergeVisits, type Visit } from '#domain/measuring/visit.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type CountingTime, countVisits } from './visit-counts.ts'

/** The server counts a visit once no report of it has arrived for this long. */
const idleMs = hour

/** A counted visit stays in the table until 48 hours after its start, so that a late report cannot count it again. */
const keepVisitMs = 48 * hour

/** The maximum number of visits in the table, about 50 MB. Further visits are not measured until old ones are deleted. */
const maxVisits = 100_000

/** A visit is measured only if its first report arrives in the hour when it began, or in one of the next two. */
const pastHours = 2

/** How many visits one transaction counts. Each visit changes eight rows, and on SQLite leads wait meanwhile. */
const visitsPerCount = 25

type VisitRow = Selectable<StoreTables['visits']>

/** Each process counts the table's rows again after adding this many visits, and may exceed the limit by as many. */
const visitsPerRecount = 2000

/** Stores and counts visits. Times are epoch milliseconds. */
export const makeVisitStore = (
  { db, run, zone }: Pick<LeadDatabase, 'db' | 'run' | 'zone'>,
  max = maxVisits,
) => {
  let room = 0
  return {
    /** Merges reports into the stored visits. @param visits the reports, at most one for each visit */
    save: async (visits: readonly Visit[], now: number): Promise<void> => {
      if (room < visits.length) {
        const stored = await countRows(db.selectFrom('visits'))
        room = Math.min(Math.max(0, max - stored), visitsPerRecount)
      }
      room -= await runInTransaction(db, (tx) => saveVisits(tx, visits, now, room))
    },
    /**
     * Counts some of the visits that have ended. Once none are left, deletes visits that began more than 48 hours ago.
     * @returns how many visits it has counted; 0 if none are left
     */
    countEnded: async (now: number): Promise<number> => {
      const counted = await run(countEndedVisits, { now, zone })
      if (counted === 0) {
        await db
          .deleteFrom('visits')
          .where('began_at', '<', now - keepVisitMs)
          .execute()
      }
      return counted
    },
  }
}

export type VisitStore = ReturnType<typeof makeVisitStore>

/** @param room the maximum number of new visits to store @returns the number of new visits */
async function saveVisits(
  tx: Transaction<StoreTables>,
  visits: readonly Visit[],
  now: number,
  room: number,
): Promise<number> {
  const ids = visits.map(({ id }) => id)
  const rows = await tx
    .selectFrom('visits')
    .selectAll()
    .where('id', 'in', ids)
    // Locking rows in a fixed order prevents a deadlock between two processes.
    .orderBy('id')
    .forUpdate()
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  const earliest = now - (now % hour) - pastHours * hour
  let left = room
  const changed = visits
    .filter(({ id, progress: { openMs } }) =>
      known.has(id) ? known.get(id)?.folded_at === null : now - openMs >= earliest && left-- > 0,
    )
    .map((visit) => {
      const row = known.get(visit.id)
      return toRow(row ? mergeVisits(toVisit(row), visit) : visit, now, row)
    })
  if (changed.length === 0) return 0
  await tx
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

/** Counts some visits that have ended. Returns the number of counted visits. */
export const countEndedVisits: DatabaseTask<CountingTime, number> = {
  name: 'countEndedVisits',
  run: (db, time) => db.transaction().execute((tx) => countEnded(tx, time)),
}

async function countEnded(tx: Transaction<StoreTables>, time: CountingTime): Promise<number> {
  const { now } = time
  const rows = await tx
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
  const unnamed = { program: null, source: null, campaign: null, affiliate: null }
  await tx
    .updateTable('visits')
    .set({ folded_at: now, progress: '', ...unnamed })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  await countVisits(
    tx,
    rows.map((row) => {
      const { progress, ...group } = toVisit(row)
      return { at: row.began_at, group, events: listVisitEvents(progress) }
    }),
    time,
  )
  return rows.length
}
