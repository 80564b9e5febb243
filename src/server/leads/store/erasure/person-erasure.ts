import { type Kysely, sql, type Transaction } from 'kysely'
import { nameKey } from '#domain/lead/name-key.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { Locking } from '#server/platform/database/locking.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type EmailAddress, emailAddress } from '#server/platform/email-address.ts'
import type { ErasedPerson, PersonErasure, PersonToErase } from '../../erase-person.ts'
import { orUnreadable, readPayload } from '../../lead-payload.ts'
import { type ErasableLead, eraseConsent, eraseLeads } from './erase-leads.ts'
import { findLinkedLeads } from './find-linked-leads.ts'

type Store = Transaction<StoreTables>

interface FoundLead extends ErasableLead {
  readonly corrects: string | null
}

type Database = Pick<LeadDatabase, 'patient' | 'locking' | 'wipe'>

export function makePersonErasure({ patient: db, locking, wipe }: Database): PersonErasure {
  return {
    find: (person) =>
      retryConflicts(async () => {
        const { leads, unsearched } = await findLeads(db, person)
        return { ids: leads.map(({ id }) => id), unsearched }
      }),
    count: (person) => retryConflicts(async () => (await findLeads(db, person)).leads.length),
    erase: async (person, now) => {
      const erased = await retryConflicts(() => erasePerson(db, person, { now, locking }))
      return { ...erased, bytes: await wipe() }
    },
  }
}

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
 * Reads every lead: an index on the address would cost each enquiry something, and this is asked for rarely. SQLite
 * folds the case of ASCII letters alone, as does PostgreSQL in the locale C: addresses with others are few, and
 * compared here. Whoever mended a mistyped address is found under both: what is linked as a correction, and has the same
 * name, is the same person's. Whose name cannot be read is left, and named by the erasure.
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

/** One transaction: a person's leads are few. What comes in while they are sought counts as come afterwards. */
async function erasePerson(
  db: Kysely<StoreTables>,
  person: PersonToErase,
  { now, locking }: { readonly now: number; readonly locking: Locking },
): Promise<Omit<ErasedPerson, 'bytes'>> {
  // Before the transaction: reading a million leads takes seconds, and on SQLite nobody could enquire meanwhile.
  const { leads: found, unsearched } = await findLeads(db, person)
  return db.transaction().execute(async (store) => {
    const ids = found.map(({ id }) => id)
    const { leads, met } = await eraseOnRequest(store, ids, { now, locking })
    const count = (kind: Met) => [...met.values()].filter((one) => one === kind).length
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

/** How the delivery of an erased lead was met; `nothing owed` where it was over, or there was none. */
type Met = 'stopped' | 'underWay' | 'delivered' | 'nothing owed'

/**
 * Erases these leads, in the caller's transaction, but for those that were erased on request before: retention leaves some
 * of the person.
 */
export async function eraseOnRequest(
  store: Store,
  ids: readonly string[],
  { now, locking }: { readonly now: number; readonly locking: Locking },
): Promise<{ readonly leads: readonly FoundLead[]; readonly met: ReadonlyMap<string, Met> }> {
  const leads = await lockLeads(store, ids)
  const met = new Map<string, Met>()
  for (const lead of leads) {
    // First, as it locks the delivery: no attempt is recorded from here on until the commit.
    met.set(lead.id, await settleOwed(store, lead.id, now))
    await eraseConsent(store, lead)
  }
  await eraseLeads(store, leads, { by: 'request', now, locking })
  return { leads, met }
}

/**
 * What they hold now, where nobody has erased them since they were found. The update changes nothing: who releases a
 * lead waits, and finds it erased.
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
async function settleOwed(store: Store, leadId: string, now: number): Promise<Met> {
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
