import { type Kysely, sql } from 'kysely'
import { type ProbeKind, placeOfProbe, type Trip } from '#domain/delivery/breaker.ts'
import { isTelling } from '#domain/delivery/culprit.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { neighbourhoodOf } from '#server/platform/http/network-of.ts'

export interface ProbeChoice {
  /** The delivery's. */
  readonly id: string
  readonly kind: ProbeKind
}

interface Choosing {
  readonly db: Kysely<StoreTables>
  readonly trip: Trip
  readonly now: number
}

/**
 * The delivery for the next probe: one that has never failed, best of a network of which none has; else one that failed
 * before the trip alone; else, from `repeatAt` on, the one of the trip that failed the longest ago.
 */
export async function chooseProbe(
  db: Kysely<StoreTables>,
  trip: Trip,
  now: number,
): Promise<ProbeChoice | undefined> {
  const mayRepeat = trip.repeatAt <= now
  if (!mayRepeat && !isTelling(trip, 'first')) return undefined
  const choosing = { db, trip, now }
  const chosen = await chooseAnother(choosing)
  if (chosen !== undefined && (mayRepeat || isTelling(trip, chosen.kind))) return chosen
  if (!mayRepeat) return undefined
  const again = (await findLongestAgo(choosing)) ?? (await findOldestDue(choosing))
  return again && { id: again.id, kind: 'repeat' }
}

async function chooseAnother(choosing: Choosing): Promise<ProbeChoice | undefined> {
  const place = await findPlace(choosing)
  if (place === undefined) return undefined
  const near = [
    ...(await findNew(choosing, place, 'newer')),
    ...(await findNew(choosing, place, 'older')),
  ]
  const failed = await findFailedNetworks(choosing)
  const isOther = ({ ip }: { readonly ip: string }) => !failed.has(neighbourhoodOf(ip))
  // Behind hundreds of one network somebody else is seen when they come.
  const first = near.find(isOther) ?? (await findNew(choosing, choosing.now, 'older')).find(isOther)
  if (first !== undefined) return { id: first.id, kind: 'first' }
  const akin = near[0] ?? (await findAnother(choosing))
  return akin && { id: akin.id, kind: 'akin' }
}

const selectDue = ({ db, now }: Choosing) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'lead_id', 'next_at', 'attempts', 'spared'])
    .where('settled_at', 'is', null)
    .where('next_at', '<=', now)

const findOldestDue = (choosing: Choosing) =>
  selectDue(choosing).orderBy('next_at').limit(1).executeTakeFirst()

/** Epoch milliseconds, between the oldest and the newest that is due; undefined where none is. */
async function findPlace(choosing: Choosing): Promise<number | undefined> {
  const oldest = await findOldestDue(choosing)
  if (oldest === undefined) return undefined
  const newest = await selectDue(choosing).orderBy('next_at', 'desc').limit(1).executeTakeFirst()
  const span = (newest ?? oldest).next_at - oldest.next_at
  return oldest.next_at + Math.floor(span * placeOfProbe(choosing.trip))
}

/** Looked at in each direction: however many there are that have failed before, a probe costs no more. */
const lookedAt = 100

/** Those that have never failed, from a place on, the nearest first. */
function findNew(choosing: Choosing, place: number, towards: 'newer' | 'older') {
  const [side, order] = towards === 'newer' ? (['>=', 'asc'] as const) : (['<', 'desc'] as const)
  const near = selectDue(choosing)
    .where('next_at', side, place)
    .orderBy('next_at', order)
    .limit(lookedAt)
  return choosing.db
    .selectFrom(near.as('near'))
    .innerJoin('consents', 'consents.lead_id', 'near.lead_id')
    .select(['near.id', 'consents.ip'])
    .whereRef('attempts', '=', 'spared')
    .where(isUntried('near', choosing))
    .orderBy('next_at', order)
    .execute()
}

/** Due, and failed before the trip alone. Those that were tried in it are as few as its probes. */
const findAnother = (choosing: Choosing) =>
  selectDue(choosing)
    .where(isUntried('deliveries', choosing))
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()

const isUntried = (table: 'deliveries' | 'near', { trip }: Choosing) => sql<boolean>`
  not exists (
    select 1 from attempts where delivery_id = ${sql.ref(`${table}.id`)} and started_at >= ${trip.since}
  )`

/** Of so many of the latest that failed: whoever sends forbidden leads has as many networks at most. */
const rememberedFailures = 1000

/** Of leads that wait by our own schedule, as each has failed, in this trip or before. */
async function findFailedNetworks({ db }: Choosing): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('consents', 'consents.lead_id', 'deliveries.lead_id')
    .select('consents.ip')
    .where('deliveries.settled_at', 'is', null)
    .where('deliveries.waits_since', 'is not', null)
    .orderBy('deliveries.waits_since', 'desc')
    .limit(rememberedFailures)
    .execute()
  return new Set(rows.map(({ ip }) => neighbourhoodOf(ip)))
}

const findLongestAgo = ({ db, trip }: Choosing) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('settled_at', 'is', null)
    .where('lease', 'is', null)
    .where('waits_since', '>=', trip.since)
    .orderBy('waits_since')
    .limit(1)
    .executeTakeFirst()
