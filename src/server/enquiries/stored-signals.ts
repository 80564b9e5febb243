import { type SqlBool, sql, type Transaction } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import { findContacts, findListed, listContact } from '#server/leads/do-not-contact.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadArrival } from './lead-arrival.ts'

type Tx = Transaction<StoreTables>

export interface CheckedArrival extends LeadArrival {
  /** The signals that the store has added; absent without such signals. */
  readonly found?: readonly AbuseSignal[]
}

/**
 * Adds the signals that only the store can find, in the transaction that stores the leads, so that no lead comes
 * between an operator's decision and its effect. Each of these signals quarantines the lead.
 * @param listSecret the secret of the do-not-contact list
 */
export async function addStoredSignals(
  tx: Tx,
  arrivals: readonly LeadArrival[],
  listSecret: string,
): Promise<readonly CheckedArrival[]> {
  const isStopped = await readStoppedAffiliates(tx, arrivals)
  const people = arrivals.map(({ lead }) => lead)
  const listed = await findListed(tx, people, listSecret)
  return arrivals.map((arrival) => {
    const found: AbuseSignal[] = [
      ...(isStopped(arrival) ? ['affiliate-stopped' as const] : []),
      ...(listed.has(arrival.lead.id) ? ['do-not-contact' as const] : []),
    ]
    return addSignals(arrival, found)
  })
}

const addSignals = <Arrival extends CheckedArrival>(
  arrival: Arrival,
  found: readonly AbuseSignal[],
): Arrival =>
  found.length === 0
    ? arrival
    : {
        ...arrival,
        found: [...(arrival.found ?? []), ...found],
        signals: [...arrival.signals, ...found],
        isQuarantined: true,
      }

/**
 * Adds the signal of a listed person to a correction with another email address or phone number, and lists these, so
 * that a later enquiry with them waits, too.
 */
export async function addSignalOfCorrected<
  Arrival extends CheckedArrival & { readonly corrects?: string },
>(tx: Tx, arrival: Arrival, listSecret: string): Promise<Arrival> {
  if (arrival.corrects === undefined) return arrival
  const listed = await findListed(tx, await findContacts(tx, [arrival.corrects]), listSecret)
  const [listedAt] = listed.values()
  if (listedAt === undefined) return arrival
  await listContact(tx, arrival.lead, listedAt, listSecret)
  return arrival.found?.includes('do-not-contact')
    ? arrival
    : addSignals(arrival, ['do-not-contact'])
}

const toStoredAffiliateId = ({ lead: { subId } }: LeadArrival): string =>
  subId?.replaceAll('\0', '') ?? ''

/** Reads which of the leads' affiliates are stopped, by the rules of `affiliateOfLead`. */
async function readStoppedAffiliates(tx: Tx, arrivals: readonly LeadArrival[]) {
  const ids = [...new Set(arrivals.map(toStoredAffiliateId))].filter(Boolean)
  if (ids.length === 0) return () => false
  const keys = ids.map(makeOriginKey)
  const known = await tx
    .selectFrom('affiliate_ids')
    .innerJoin('affiliates', 'affiliates.id', 'affiliate_id')
    .select(['affid', 'stopped_at'])
    .where((eb) =>
      eb.or([
        eb('affid', 'in', [...ids, ...keys]),
        sql<SqlBool>`lower(affid) in (${sql.join(keys)})`,
      ]),
    )
    .orderBy('affid')
    .execute()
  return (arrival: LeadArrival): boolean => {
    const id = toStoredAffiliateId(arrival)
    const key = makeOriginKey(id)
    const same = known.filter(({ affid }) => makeOriginKey(affid) === key)
    return (same.find(({ affid }) => affid === id) ?? same[0])?.stopped_at != null
  }
}

/** Tells stopped affiliates that their new leads are not sent. */
export async function notifyOfStops(tx: Tx, arrivals: readonly CheckedArrival[]): Promise<void> {
  const stopped = arrivals.filter(({ found }) => found?.includes('affiliate-stopped'))
  for (const [at, leads] of Map.groupBy(stopped, ({ lead }) => lead.receivedAt)) {
    const leadIds = leads.map(({ lead }) => lead.id)
    await enqueueNotifications(tx, { event: 'stopped', leadIds, at })
  }
}
