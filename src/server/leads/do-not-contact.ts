import { createHmac, hash } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Lead } from '#domain/lead/lead.ts'
import { sliceRows } from '#server/platform/database/rows.ts'
import {
  doNotContactSecretName,
  readSharedSecret,
} from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { readPayload } from './lead-payload.ts'

type Db = Kysely<StoreTables>

/** How a person can be contacted: an email address in any spelling, and the 10 digits of a phone number. */
export type Contact = Partial<Pick<Lead, 'email' | 'phone'>>

/**
 * Returns the SHA-256 hashes, in hex, of a person's email address and phone number, as suppression lists are exchanged.
 * The address is in lower case, but keeps dots and `+`: only some mail services ignore them, and another company's hash
 * contains what the person typed there. Letters that look alike, such as `ａ` and `a`, are one letter here; the keys of
 * the search and of duplicates, which are stored, keep the weaker form.
 */
export const hashContact = ({ email, phone }: Contact): readonly string[] => [
  ...(email?.includes('@') ? [hash('sha256', toListedAddress(email))] : []),
  // A damaged lead may have another value than a text.
  ...(phone ? [hash('sha256', String(phone))] : []),
]

/** Composes again after the change to lower case: it makes new pairs, such as `j` with a caron, which are one letter. */
const toListedAddress = (email: string): string =>
  toEmailAddress(email.normalize('NFKC')).normalize('NFKC')

/** Has more than 128 bits in base64url characters, so that two people never share a key. */
const keyLength = 22

/**
 * Makes the key that the list keeps for a SHA-256 hash. With plain hashes, anyone with a copy of the list could find the
 * phone numbers by trying every number.
 * @param secret the store's secret; see {@link readListSecret}
 */
export const makeListKey = (secret: string, sha256: string): string =>
  createHmac('sha256', secret).update(sha256).digest('base64url').slice(0, keyLength)

export const readListSecret = (db: Db): Promise<string> =>
  readSharedSecret(db, doNotContactSecretName)

/** A person's email address or phone number. Several contacts may have the same id. */
export type ContactOf = Contact & { readonly id: string }

/** Returns when each key that is on the list was last listed, in epoch milliseconds. */
export async function findListedKeys(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const listed = new Map<string, number>()
  for (const slice of sliceRows(keys)) {
    const rows = await db
      .selectFrom('do_not_contact')
      .select(['key', 'listed_at'])
      .where('key', 'in', slice)
      .execute()
    for (const row of rows) listed.set(row.key, row.listed_at)
  }
  return listed
}

/** Finds the people on the list. @returns for each listed person's id, when the person was last listed */
export async function findListed(
  db: Db,
  people: readonly ContactOf[],
  secret: string,
): Promise<ReadonlyMap<string, number>> {
  const keyed = people.flatMap((one) =>
    hashContact(one).map((hash) => ({ id: one.id, key: makeListKey(secret, hash) })),
  )
  const listed = await findListedKeys(db, [...new Set(keyed.map(({ key }) => key))])
  const listedAt = new Map<string, number>()
  for (const { id, key } of keyed) {
    const at = listed.get(key)
    if (at !== undefined) listedAt.set(id, Math.max(at, listedAt.get(id) ?? 0))
  }
  return listedAt
}

/**
 * Reads the email addresses and phone numbers of leads, and those of the leads that they correct: a person who has
 * changed the email address in the form is still the same. Leaves out erased leads; an unreadable lead has no phone.
 */
export async function findContacts(
  db: Db,
  leadIds: readonly string[],
): Promise<readonly ContactOf[]> {
  if (leadIds.length === 0) return []
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'email', 'payload'])
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .unionAll(
      db
        .selectFrom('leads as later')
        .innerJoin('leads', 'leads.id', 'later.corrects')
        .select(['later.id', 'leads.email', 'leads.payload'])
        .where('later.id', 'in', leadIds)
        .where('later.erased_at', 'is', null)
        .where('leads.erased_at', 'is', null),
    )
    .execute()
  return rows.map(toContact)
}

/** Puts an email address and a phone number on the list, unless they are on it. */
export async function listContact(tx: Db, contact: Contact, listedAt: number, secret: string) {
  const keys = hashContact(contact).map((hash) => makeListKey(secret, hash))
  await tx
    .insertInto('do_not_contact')
    // A fixed order prevents a deadlock with an operator's stop.
    .values(keys.toSorted().map((key) => ({ key, listed_at: listedAt })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Finds when a lead's person was last listed, in epoch milliseconds; undefined if the person isn't on the list. */
export async function findListedAt(db: Db, leadId: string): Promise<number | undefined> {
  const contacts = await findContacts(db, [leadId])
  return (await findListed(db, contacts, await readListSecret(db))).get(leadId)
}

export function toContact(row: Pick<Selectable<StoreTables['leads']>, 'id' | 'email' | 'payload'>) {
  const phone = readPayload(row.payload).answers?.phone
  return { id: row.id, email: String(row.email), ...(phone && { phone }) }
}

/**
 * Finds the leads that must not be sent: those of listed people, unless an operator has released the lead despite the
 * person's last listing (reading 36).
 */
export async function findListedLeads(
  db: Db,
  leadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed = await findListed(db, await findContacts(db, leadIds), await readListSecret(db))
  if (listed.size === 0) return new Set()
  const released = await db
    .selectFrom('leads')
    .select(['id', 'released_despite'])
    .where('id', 'in', [...listed.keys()])
    .where('released_despite', 'is not', null)
    .execute()
  const despite = new Map(released.map((row) => [row.id, row.released_despite ?? 0]))
  return new Set([...listed].flatMap(([id, at]) => ((despite.get(id) ?? 0) >= at ? [] : [id])))
}

/** The condition, in a query of `deliveries`, for a lead that has been sent, whatever the distributor answered. */
export const wasSent = sql<boolean>`(settled_as = 'delivered' or exists (
  select 1 from attempts where attempts.delivery_id = deliveries.id
  and outcome not in ('unreachable', 'not-made')))`

/** The condition, in a query of `notifications` with `webhooks`, for a call that may have carried the lead's answers. */
export const carriesAnswers = sql<boolean>`(sends_personal_data = 1 and tried_at is not null
  and coalesce(event_reason, '') <> 'quarantined')`

/** The condition, in a query with `lead_index`, for a lead whose answers a webhook may have. */
export const mayHaveAnswers = sql<boolean>`exists (
  select 1 from notifications inner join webhooks on webhooks.id = destination
  where notifications.lead_id = lead_index.lead_id and ${carriesAnswers})`

/** Keeps, for the page Do not contact, which of the leads had been sent before their person was listed. */
export async function keepSentLeads(db: Db, leadIds: readonly string[], now: number) {
  if (leadIds.length === 0) return
  await db
    .insertInto('sent_before_stop')
    .columns(['lead_id', 'stopped_at'])
    .expression(
      db
        .selectFrom('lead_index')
        .leftJoin('deliveries', 'deliveries.lead_id', 'lead_index.lead_id')
        .select(['lead_index.lead_id', sql<number>`cast(${now} as bigint)`.as('stopped_at')])
        .where('lead_index.lead_id', 'in', leadIds)
        .where((eb) => eb.or([wasSent, mayHaveAnswers])),
    )
    .onConflict((conflict) => conflict.column('lead_id').doNothing())
    .execute()
}
