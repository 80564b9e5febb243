import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { areaPath } from '#domain/area.ts'
import { makeNameKey } from '#domain/lead/duplicate.ts'
import type { ErasureCause } from '#domain/lead/lead.ts'
import type { LeadDatabase, WipeResult } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type EmailAddress, toEmailAddress } from '#server/platform/email-address.ts'
import { freeCapPlaces } from './cap-places.ts'
import { deleteDedupeKeys } from './dedupe-keys.ts'
import { findContacts } from './do-not-contact.ts'
import { deleteUnusedErrorGroups } from './error-groups.ts'
import { readPayload, serializeFieldsKeptAfterErasure } from './lead-payload.ts'
import { noLease } from './lead-status.ts'

type StoreTransaction = Transaction<StoreTables>

export interface ErasureResult {
  readonly leads: number
  /** The number of open deliveries that the erasure ended before a worker sent them. */
  readonly stopped: number
  /** The number of deliveries that a worker was sending during the erasure; the distributor may still receive them. */
  readonly underWay: number
  /** The number of leads that the distributor had accepted before the erasure. */
  readonly delivered: number
  /** The ids of kept leads that correct an erased lead, or that an erased lead corrects (reading 23). */
  readonly linked: readonly string[]
  /** The ids of leads whose email address cannot be read; they may belong to the person. */
  readonly unsearched: readonly string[]
  readonly bytes: WipeResult
}

/**
 * Which person to erase: by the email address in the leads, or by one lead's id, which is the visitor's reference
 * number. The id finds the proof of consent even after retention has erased the email address.
 */
export type PersonToErase = EmailAddress | { readonly leadId: string }

type FoundLead = Pick<Selectable<StoreTables['leads']>, 'id' | 'area' | 'payload' | 'corrects'>

export const makePersonEraser = ({
  longQueryDb: db,
  wipe,
}: Pick<LeadDatabase, 'longQueryDb' | 'wipe'>) => ({
  find: (person: PersonToErase) => findPersonLeadIds(db, person),
  /** Counts the different phone numbers of leads: several numbers may mean several people. */
  countPhones: async (ids: readonly string[]): Promise<number> => {
    // A lead that cannot be read may be anybody's.
    const phones = (await findContacts(db, ids)).map(({ id, phone }) => phone ?? id)
    return new Set(phones).size
  },
  /**
   * Erases the identifying data in a person's leads. Ids, times, outcomes, area, program and consent text stay.
   * @param found the person's leads, if the caller has already searched for them
   */
  erase: async (
    person: PersonToErase,
    now: number,
    found?: FoundPerson,
  ): Promise<ErasureResult> => ({
    ...(await erasePerson(db, found ?? (await findPersonLeadIds(db, person)), now)),
    bytes: await wipe(),
  }),
})

export type PersonEraser = ReturnType<typeof makePersonEraser>

type FoundPerson = Awaited<ReturnType<typeof findPersonLeadIds>>

async function findPersonLeadIds(db: Kysely<StoreTables>, person: PersonToErase) {
  const { leads, unsearched } =
    typeof person === 'string'
      ? await findLeadsByEmail(db, person)
      : await findLeadById(db, person.leadId)
  return { ids: leads.map(({ id }) => id), unsearched }
}

/** Finds a lead by its id, even if retention has erased the lead, because retention keeps the proof of consent. */
async function findLeadById(db: Kysely<StoreTables>, leadId: string) {
  const leads = await db
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'corrects'])
    .where('id', '=', leadId)
    .where('erased_by', 'is distinct from', 'request')
    .execute()
  return { leads, unsearched: [] as string[] }
}

/**
 * Finds a person's leads by reading every lead, because an index on the email address would slow every enquiry.
 * JavaScript compares email addresses with non-ASCII letters, because SQLite does not fold the case of these letters. A
 * correction with the same name also belongs to the person, because visitors correct mistyped email addresses.
 */
async function findLeadsByEmail(db: Kysely<StoreTables>, address: EmailAddress) {
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
  const withSameAddress = rows.filter(
    ({ email }) => isEmailText(email) && toEmailAddress(email) === address,
  )
  const names = new Set(withSameAddress.map(readNameKey))
  names.delete(undefined)
  const linked = await findLinkedLeads(db, withSameAddress)
  return {
    leads: [...withSameAddress, ...linked.filter((lead) => names.has(readNameKey(lead)))],
    unsearched: rows.filter(({ email }) => !isEmailText(email)).map(({ id }) => id),
  }
}

/** Whether a value is the text of an email address, because SQLite may return bytes from a text column. */
const isEmailText = (email: unknown): boolean => typeof email === 'string' && email.includes('@')

function readNameKey({ payload }: FoundLead): string | undefined {
  const { answers } = readPayload(payload)
  return answers && makeNameKey(answers)
}

/**
 * Erases a person's leads, which are few, in one transaction. The search for the leads comes before the transaction,
 * because it may take seconds, and SQLite can store no enquiry during a transaction.
 */
const erasePerson = (
  db: Kysely<StoreTables>,
  { ids, unsearched }: FoundPerson,
  now: number,
): Promise<Omit<ErasureResult, 'bytes'>> =>
  runInTransaction(db, async (tx) => {
    const { leads, endings } = await eraseLeadsOnRequest(tx, ids, now)
    const count = (kind: DeliveryEnding) =>
      [...endings.values()].filter((one) => one === kind).length
    const linked = await findLinkedLeads(tx, leads)
    return {
      leads: leads.length,
      stopped: count('stopped'),
      underWay: count('underWay'),
      delivered: count('delivered'),
      linked: linked.map(({ id }) => id),
      unsearched,
    }
  })

/** The state of an erased lead's delivery; `not open` if the delivery had ended or never existed. */
type DeliveryEnding = 'stopped' | 'underWay' | 'delivered' | 'not open'

/**
 * Erases leads in the caller's transaction, unless an earlier request erased them. Leads that retention erased are
 * included, because retention keeps some personal data.
 */
export async function eraseLeadsOnRequest(
  tx: StoreTransaction,
  ids: readonly string[],
  now: number,
): Promise<{
  readonly leads: readonly FoundLead[]
  readonly endings: ReadonlyMap<string, DeliveryEnding>
}> {
  const leads = await lockLeads(tx, ids)
  const endings = new Map<string, DeliveryEnding>()
  for (const lead of leads) {
    // Settling comes first because it locks the delivery: no worker records an attempt until the commit.
    endings.set(lead.id, await settleOpenDelivery(tx, lead.id, now))
    await eraseConsent(tx, lead)
  }
  const stopped = leads.filter(({ id }) => endings.get(id) === 'stopped').map(({ id }) => id)
  if (stopped.length > 0) {
    const unsent = tx
      .selectFrom('deliveries')
      .select('id')
      .where('lead_id', 'in', stopped)
      .where('unknown_attempts', '=', 0)
    await freeCapPlaces(
      tx,
      (await unsent.execute()).map(({ id }) => id),
      now,
    )
  }
  await eraseLeads(tx, leads, { by: 'request', now })
  return { leads, endings }
}

/**
 * Locks the leads and reads their current data, except leads that a request has erased meanwhile. The update changes no
 * value, but makes a concurrent release wait; the release then finds the lead erased.
 */
async function lockLeads(
  tx: StoreTransaction,
  ids: readonly string[],
): Promise<readonly FoundLead[]> {
  if (ids.length === 0) return []
  return tx
    .updateTable('leads')
    .set((eb) => ({ area: eb.ref('area') }))
    .where('id', 'in', ids)
    .where('erased_by', 'is distinct from', 'request')
    .returning(['id', 'area', 'payload', 'corrects'])
    .execute()
}

/** Settles a lead's open delivery. A worker that loses its lease here can still record that the lead was accepted. */
async function settleOpenDelivery(
  tx: StoreTransaction,
  leadId: string,
  now: number,
): Promise<DeliveryEnding> {
  const delivery = await tx
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where('lead_id', '=', leadId)
    .returning(['settled_as', 'leased_until'])
    .executeTakeFirst()
  if (delivery?.settled_as === 'delivered') return 'delivered'
  if (delivery === undefined || delivery.settled_as !== null) return 'not open'
  await tx
    .updateTable('deliveries')
    .set({ settled_as: 'erased', settled_at: now, ...noLease })
    .where('lead_id', '=', leadId)
    .execute()
  return (delivery.leased_until ?? 0) > now ? 'underWay' : 'stopped'
}

/** Finds leads, not yet erased, that correct the given leads or that the given leads correct (reading 23). */
async function findLinkedLeads(
  db: Kysely<StoreTables>,
  leads: readonly FoundLead[],
): Promise<readonly FoundLead[]> {
  if (leads.length === 0) return []
  const ids = leads.map(({ id }) => id)
  const correctedIds = leads.map(({ id, corrects }) => corrects ?? id)
  return db
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'corrects'])
    .where('erased_at', 'is', null)
    .where('id', 'not in', ids)
    .where((eb) => eb.or([eb('id', 'in', correctedIds), eb('corrects', 'in', correctedIds)]))
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}

/**
 * Removes the identifying data from leads and their deliveries. The idempotency key of a correction contains a hash of
 * the answers, so it is replaced by a key that no visitor can send. Duplicates and corrections stay linked; consents are
 * not changed.
 */
export async function eraseLeads(
  tx: StoreTransaction,
  leads: readonly Pick<FoundLead, 'id' | 'payload'>[],
  { by, now }: { readonly by: ErasureCause; readonly now: number },
): Promise<void> {
  if (leads.length === 0) return
  const ids = leads.map(({ id }) => id)
  // The dedupe keys are deleted first, because the next statement erases the hashes by which they are found.
  await deleteDedupeKeys(tx, ids)
  const rows = leads.map(
    ({ id, payload }) => sql`(${id}, ${serializeFieldsKeptAfterErasure(payload)})`,
  )
  await sql`
    with erased (id, payload) as (values ${sql.join(rows)})
    update leads set
      email = '', same_enquiry_hash = '', payload = erased.payload,
      idempotency_key = case when corrects is null then idempotency_key else 'erased/' || leads.id end,
      erased_at = cast(${now} as bigint), erased_by = ${by}
    from erased where leads.id = erased.id`.execute(tx)
  await tx
    .updateTable('deliveries')
    .set({ lead_erased_at: now })
    .where('lead_id', 'in', ids)
    .execute()
  // The distributor's response may quote the lead.
  await tx
    .updateTable('attempts')
    .set({ detail: null })
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('id').where('lead_id', 'in', ids),
    )
    .execute()
  await deleteUnusedErrorGroups(tx)
}

/** Reduces a consent to its text, its time and the area's page: the full URL could contain personal data. */
async function eraseConsent(tx: StoreTransaction, { id, area }: FoundLead): Promise<void> {
  const consent = await tx
    .selectFrom('consents')
    .select('page_url')
    .where('lead_id', '=', id)
    .executeTakeFirst()
  if (consent === undefined) return
  const page_url = URL.parse(areaPath(area), consent.page_url)?.href ?? ''
  await tx
    .updateTable('consents')
    .set({ ip: '', user_agent: '', page_url })
    .where('lead_id', '=', id)
    .execute()
}
