import type { Kysely, Selectable, Updateable } from 'kysely'
import type { BreakerState, Patience, Trip } from '#domain/delivery/breaker.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Row = Selectable<StoreTables['delivery_gate']>
export type BreakerColumns = Updateable<StoreTables['delivery_gate']>

export const updateBreaker = (db: Kysely<StoreTables>) =>
  db.updateTable('delivery_gate').where('id', '=', 1)

export async function readBreaker(db: Kysely<StoreTables>): Promise<BreakerState> {
  const rows = db.selectFrom('delivery_gate').selectAll().where('id', '=', 1)
  return toState(await rows.executeTakeFirstOrThrow())
}

export interface LockedBreaker extends BreakerState {
  /** The lease of the probe under way. */
  readonly probe: string | null
  readonly patience: Patience | undefined
}

/** The update changes nothing: it locks the row on both stores until the transaction ends. */
export async function lockBreaker(store: Kysely<StoreTables>): Promise<LockedBreaker> {
  const row = await updateBreaker(store).set({ id: 1 }).returningAll().executeTakeFirstOrThrow()
  const { probe, enough_refusals: enoughRefused, patient_until: until } = row
  return {
    ...toState(row),
    probe,
    patience: until === null ? undefined : { enoughRefused, until },
  }
}

/** The columns have the names of the first schema, on which a version before this one may still run. */
const toState = (row: Row): BreakerState => ({
  pause:
    row.paused_by === 'operator'
      ? { reason: row.pause_reason ?? '', since: row.paused_at ?? 0 }
      : null,
  trip: toTrip(row),
})

function toTrip(row: Row): Trip | null {
  const { paused_by, pause_reason, probe_at } = row
  const cause = paused_by === 'refusal' ? 'refused' : 'outage'
  const since = cause === 'refused' ? row.paused_at : row.outage_since
  if (since === null) return null
  return {
    cause,
    reason: paused_by === 'operator' ? '' : (pause_reason ?? ''),
    since,
    failedProbes: {
      outage: row.failed_probes,
      refused: row.refused_probes,
      akinRefused: row.akin_refused_probes,
    },
    answeredProbes: row.answered_probes,
    enoughRefused: row.enough_refusals,
    probeAt: probe_at ?? 0,
    repeatAt: row.repeat_at ?? probe_at ?? 0,
  }
}

export const noPause: BreakerColumns = { paused_by: null, pause_reason: null, paused_at: null }

export const noTrip: BreakerColumns = {
  outage_since: null,
  failed_probes: 0,
  refused_probes: 0,
  akin_refused_probes: 0,
  answered_probes: 0,
  probe: null,
  probe_at: null,
  repeat_at: null,
}

export const columnsOfPatience = ({ enoughRefused, until }: Patience): BreakerColumns => ({
  enough_refusals: enoughRefused,
  patient_until: until,
})

/** Of a trip that no operator's pause lies upon. */
export const columnsOf = ({
  cause,
  reason,
  since,
  failedProbes,
  ...trip
}: Trip): BreakerColumns => ({
  ...(cause === 'refused'
    ? { paused_by: 'refusal', paused_at: since, outage_since: null }
    : { paused_by: null, paused_at: null, outage_since: since }),
  pause_reason: reason,
  failed_probes: failedProbes.outage,
  refused_probes: failedProbes.refused,
  akin_refused_probes: failedProbes.akinRefused,
  answered_probes: trip.answeredProbes,
  enough_refusals: trip.enoughRefused,
  probe: null,
  probe_at: trip.probeAt,
  repeat_at: trip.repeatAt,
})
