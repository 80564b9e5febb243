import type { Kysely, Selectable } from 'kysely'
import {
  type BreakerState,
  type Pause,
  probeWait,
  refusalProbeWait,
} from '#domain/delivery/breaker.ts'
import type { BreakerStore } from '#server/use-cases/breaker-store.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { releaseWaiting } from './release-waiting.ts'

type BreakerRow = Selectable<StoreTables['delivery_gate']>

const noPause = { paused_by: null, pause_reason: null, paused_at: null }
const noOutage = { outage_since: null, failed_probes: 0 }
const noProbe = { probe: null, probe_at: null }

/** Each step is one guarded statement or one transaction on the one row, so that of several processes one alone takes it. */
export function makeBreakerStore({
  db,
  patient,
}: Pick<LeadDatabase, 'db' | 'patient'>): BreakerStore {
  return {
    read: () => retryConflicts(async () => toState(await readRow(db))),
    pause: (pause) =>
      retryConflicts(() =>
        pause.by === 'operator' ? pauseForOperator(db, pause) : pauseForRefusal(db, pause),
      ),
    resume: () => retryConflicts(() => reopen(patient, ['operator', 'refusal'])),
    beginOutage: (outage) => retryConflicts(() => beginOutage(db, outage)),
    answered: () => retryConflicts(() => reopen(patient, ['refusal'])),
    probeFailed: (probe) => retryConflicts(() => endProbe(db, probe)),
    probeNow: (at) =>
      retryConflicts(async () => {
        await updateBreaker(db)
          .set({ probe: null, probe_at: at })
          .where('probe_at', 'is not', null)
          .execute()
      }),
  }
}

const updateBreaker = (db: Kysely<StoreTables>) =>
  db.updateTable('delivery_gate').where('id', '=', 1)

const readRow = (db: Kysely<StoreTables>): Promise<BreakerRow> =>
  db.selectFrom('delivery_gate').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()

/** The update changes nothing: it locks the row on both stores until the transaction ends. */
const lockRow = (store: Kysely<StoreTables>): Promise<BreakerRow> =>
  updateBreaker(store).set({ id: 1 }).returningAll().executeTakeFirstOrThrow()

function toState(row: BreakerRow): BreakerState {
  const { paused_by: by, pause_reason: reason, paused_at: since, outage_since, probe_at } = row
  return {
    pause:
      by === null || since === null
        ? null
        : { by, reason: reason ?? '', since, probeAt: by === 'operator' ? null : probe_at },
    outage: outage_since === null ? null : { since: outage_since, probeAt: probe_at ?? 0 },
  }
}

interface PauseOrder {
  readonly reason: string
  readonly at: number
}

async function pauseForOperator(db: Kysely<StoreTables>, { reason, at }: PauseOrder) {
  const began = await updateBreaker(db)
    .set({ paused_by: 'operator', pause_reason: reason, paused_at: at })
    .where('paused_by', 'is distinct from', 'operator')
    .executeTakeFirst()
  if (began.numUpdatedRows > 0n) return true
  await updateBreaker(db).set({ pause_reason: reason }).execute()
  return false
}

async function pauseForRefusal(db: Kysely<StoreTables>, { reason, at }: PauseOrder) {
  const probes = { probe: null, probe_at: at + refusalProbeWait }
  const began = await updateBreaker(db)
    .set({ paused_by: 'refusal', pause_reason: reason, paused_at: at, ...probes })
    .where('paused_by', 'is', null)
    .executeTakeFirst()
  if (began.numUpdatedRows > 0n) return true
  await updateBreaker(db)
    .set({ pause_reason: reason, ...probes })
    .where('paused_by', '=', 'refusal')
    .execute()
  return false
}

async function beginOutage(
  db: Kysely<StoreTables>,
  { since, at }: { readonly since: number; readonly at: number },
) {
  const began = await updateBreaker(db)
    .set((eb) => ({
      outage_since: since,
      failed_probes: 0,
      // A refusal's pause keeps its own, rarer probes.
      probe_at: eb.fn.coalesce('probe_at', eb.val(at + probeWait(0))),
    }))
    .where('outage_since', 'is', null)
    .executeTakeFirst()
  return began.numUpdatedRows > 0n
}

/** Ends an outage, and a pause of these; false where there was neither. */
function reopen(db: Kysely<StoreTables>, pauses: readonly Pause['by'][]) {
  return db.transaction().execute(async (store) => {
    const row = await lockRow(store)
    const endsPause = row.paused_by !== null && pauses.includes(row.paused_by)
    if (!endsPause && row.outage_since === null) return false
    await updateBreaker(store)
      .set({ ...(endsPause ? noPause : {}), ...noOutage, ...noProbe })
      .execute()
    await releaseWaiting(store, row.outage_since)
    return true
  })
}

async function endProbe(
  db: Kysely<StoreTables>,
  { lease, at }: { readonly lease: string; readonly at: number },
) {
  const row = await readRow(db)
  const failed_probes = row.failed_probes + 1
  const wait = row.paused_by === 'refusal' ? refusalProbeWait : probeWait(failed_probes)
  await updateBreaker(db)
    .set({ failed_probes, probe: null, probe_at: at + wait })
    .where('probe', '=', lease)
    .execute()
}
