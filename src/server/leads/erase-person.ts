import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { nameKey } from '#domain/lead/duplicate.ts'
import type { LeadDatabase, Locking } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type EmailAddress, emailAddress } from '#server/platform/email-address.ts'
import { type ErasableLead, eraseConsent, eraseLeads } from './erase-leads.ts'
import { orUnreadable, readPayload } from './lead-payload.ts'

type Store = Transaction<StoreTables>

/** The result of a person's erasure. */
export interface ErasedPerson {
  readonly leads: number
  /** Open deliveries that will not be made. */
  readonly stopped: number
  /** Deliveries that a worker had at that moment: the distributor may get them all the same. */
  readonly underWay: number
  /** Leads that the distributor had taken before. */
  readonly delivered: number
  /**
   * The ids of leads that correct the erased ones, or were corrected by them, and are left: they name somebody else, or
   * one lead alone was asked for.
   */
  readonly linked: readonly string[]
  /** As in {@link FoundPerson}. */
  readonly unsearched: readonly string[]
  /**
   * `wiped`: no file of the store holds the bytes any more. `wipe again`: another process is reading; they are gone
   * from the tables, and a later call wipes them. `left to the database`: PostgreSQL removes them when it vacuums.
   */
  readonly bytes: 'wiped' | 'wipe again' | 'left to the database'
}

export interface FoundPerson {
  /** The ids of the leads that `erase` would erase. */
  readonly ids: readonly string[]
  /** The ids of leads that could not be searched by the address, as none can be read in them: they may be the person's. */
  readonly unsearched: readonly string[]
}

/**
 * By the address in the leads; or by one lead's id, which visitors are given as their reference number: it still leads
 * to a proof of consent when retention has erased the address.
 */
export type PersonToErase = EmailAddress | { readonly leadId: string }

interface FoundLead extends ErasableLead {
  readonly corrects: string | null
}

export const makePersonErasure = ({
  patient: db,
  locking,
  wipe,
}: Pick<LeadDatabase, 'patient' | 'locking' | 'wipe'>) => ({
  find: (person: PersonToErase): Promise<FoundPerson> =>
    retryConflicts(async () => {
      const { leads, unsearched } = await findLeads(db, person)
      return { ids: leads.map(({ id }) => id), unsearched }
    }),
  /**
   * Erases what identifies the person in all these leads. Ids, times, outcomes, area and program stay, and of
   * the consent its text, its time and the page.
   */
  erase: async (person: PersonToErase, now: number): Promise<ErasedPerson> => {
    const erased = await retryConflicts(() => erasePerson(db, person, { now, locking }))
    return { ...erased, bytes: await wipe() }
  },
})

export type PersonErasure = ReturnType<typeof makePersonErasure>

const findLeads = (db: Kysely<StoreTables>, person: PersonToErase) =>
  typeof person === 'string' ? findByAddress(db, person) : findById(db, person.leadId)

interface Found {
  readonly leads: readonly FoundLead[]
  readonly unsearched: readonly string[]
}

/** Also where retention has been: it leaves the proof of consent. */
async function findById(db: Kysely<StoreTables>, leadId: string): Promise<Found> {
  const leads = await db
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'corrects'])
    .where('id', '=', leadId)
    .where('erased_by', 'is distinct from', 'request')
    .execute()
  return { leads, unsearched: [] }
}

/**
 * Reads every lead: an index on the address would cost each enquiry something, and this is asked
 * for rarely. SQLite folds the case of ASCII letters alone, as does PostgreSQL in the locale C:
 * addresses with others are few, and compared here. A visitor who corrected a mistyped address is
 * found under both addresses: a linked correction with the same name is the same person's. A lead
 * whose name cannot be read stays, and the erasure names it.
 */
async function findByAddress(db: Kysely<StoreTables>, address: EmailAddress): Promise<Found> {
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'area', 'email', 'payload', 'corrects'])
    .where('erased_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql<string>`lower(trim(email))`, '=', address),
        eb(sql<number>`octet_length(email)`, '<>', sql<number>`length(email)`),
        eb('email', 'not like', '%@%'),
      ]),
    )
    .execute()
  const addressed = rows.filter(({ email }) => isAddress(email) && emailAddress(email) === address)
  const names = new Set(addressed.map(nameOf))
  names.delete(undefined)
  const linked = await findLinkedLeads(db, addressed)
  return {
    leads: [...addressed, ...linked.filter((lead) => names.has(nameOf(lead)))],
    unsearched: rows.filter(({ email }) => !isAddress(email)).map(({ id }) => id),
  }
}

/** SQLite keeps bytes in a column of text, too. */
const isAddress = (email: unknown): boolean => typeof email === 'string' && email.includes('@')

const nameOf = ({ payload }: ErasableLead): string | undefined =>
  orUnreadable(
    () => nameKey(readPayload(payload)),
    () => undefined,
  )

/**
 * One transaction: a person's leads are few. Leads that arrive during the search count as later
 * ones.
 */
async function erasePerson(
  db: Kysely<StoreTables>,
  person: PersonToErase,
  { now, locking }: { readonly now: number; readonly locking: Locking },
): Promise<Omit<ErasedPerson, 'bytes'>> {
  // Before the transaction: reading a million leads takes seconds, and on SQLite no enquiry could
  // be stored meanwhile.
  const { leads: found, unsearched } = await findLeads(db, person)
  return db.transaction().execute(async (store) => {
    const ids = found.map(({ id }) => id)
    const { leads, met } = await eraseOnRequest(store, ids, { now, locking })
    const count = (kind: DeliveryEnding) => [...met.values()].filter((one) => one === kind).length
    const linked = await findLinkedLeads(store, leads)
    return {
      leads: leads.length,
      stopped: count('stopped'),
      underWay: count('underWay'),
      delivered: count('delivered'),
      linked: linked.map(({ id }) => id),
      unsearched,
    }
  })
}

/** The state of an erased lead's delivery; `nothing owed` if it had ended or never existed. */
type DeliveryEnding = 'stopped' | 'underWay' | 'delivered' | 'nothing owed'

/**
 * Erases these leads, in the caller's transaction, but for those that were erased on request before: retention leaves some
 * of the person.
 */
export async function eraseOnRequest(
  store: Store,
  ids: readonly string[],
  { now, locking }: { readonly now: number; readonly locking: Locking },
): Promise<{
  readonly leads: readonly FoundLead[]
  readonly met: ReadonlyMap<string, DeliveryEnding>
}> {
  const leads = await lockLeads(store, ids)
  const met = new Map<string, DeliveryEnding>()
  for (const lead of leads) {
    // First, as it locks the delivery: no attempt is recorded from here on until the commit.
    met.set(lead.id, await settleOpenDelivery(store, lead.id, now))
    await eraseConsent(store, lead)
  }
  await eraseLeads(store, leads, { by: 'request', now, locking })
  return { leads, met }
}

/**
 * The current data, unless somebody has erased them since they were found. The update changes
 * nothing: who releases a lead waits, and finds it erased.
 */
async function lockLeads(store: Store, ids: readonly string[]): Promise<readonly FoundLead[]> {
  if (ids.length === 0) return []
  return store
    .updateTable('leads')
    .set((eb) => ({ area: eb.ref('area') }))
    .where('id', 'in', ids)
    .where('erased_by', 'is distinct from', 'request')
    .returning(['id', 'area', 'payload', 'corrects'])
    .execute()
}

/** A worker that loses its lease here can still record that the lead was delivered, and nothing else. */
async function settleOpenDelivery(
  store: Store,
  leadId: string,
  now: number,
): Promise<DeliveryEnding> {
  const delivery = await store
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where('lead_id', '=', leadId)
    .returning(['settled_as', 'leased_until'])
    .executeTakeFirst()
  if (delivery?.settled_as === 'delivered') return 'delivered'
  if (delivery === undefined || delivery.settled_as !== null) return 'nothing owed'
  await store
    .updateTable('deliveries')
    .set({
      settled_as: 'erased',
      settled_at: now,
      lease: null,
      leased_until: null,
      waits_since: null,
    })
    .where('lead_id', '=', leadId)
    .execute()
  return (delivery.leased_until ?? 0) > now ? 'underWay' : 'stopped'
}

type LinkedLead = Pick<Selectable<StoreTables['leads']>, 'id' | 'area' | 'payload' | 'corrects'>

/** Leads that correct these leads or are corrected by them (reading 23), and are not erased. */
async function findLinkedLeads(
  db: Kysely<StoreTables>,
  leads: readonly Pick<LinkedLead, 'id' | 'corrects'>[],
): Promise<readonly LinkedLead[]> {
  if (leads.length === 0) return []
  const ids = leads.map(({ id }) => id)
  const firsts = leads.map(({ id, corrects }) => corrects ?? id)
  return db
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'corrects'])
    .where('erased_at', 'is', null)
    .where('id', 'not in', ids)
    .where((eb) => eb.or([eb('id', 'in', firsts), eb('corrects', 'in', firsts)]))
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}
