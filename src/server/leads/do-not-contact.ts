import { createHmac, hash } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Lead } from '#domain/lead/lead.ts'
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

/**
 * Finds the people on the list.
 * @returns for each listed person's id, when the person was last listed, in epoch milliseconds
 */
export async function findListed(
  db: Db,
  people: readonly (Contact & { readonly id: string })[],
  secret: string,
): Promise<ReadonlyMap<string, number>> {
  const keysOf = people.map((person) => ({
    id: person.id,
    keys: hashContact(person).map((one) => makeListKey(secret, one)),
  }))
  const keys = keysOf.flatMap((person) => person.keys)
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('do_not_contact')
    .select(['key', 'listed_at'])
    .where('key', 'in', keys)
    .execute()
  if (rows.length === 0) return new Map()
  const listedAt = new Map(rows.map((row) => [row.key, row.listed_at]))
  return new Map(
    keysOf.flatMap((person) => {
      const times = person.keys.flatMap((key) => listedAt.get(key) ?? [])
      return times.length === 0 ? [] : [[person.id, Math.max(...times)] as const]
    }),
  )
}

/** Reads the email addresses and phone numbers of leads. Leaves out erased leads; an unreadable lead has no phone. */
export async function findContacts(
  db: Db,
  leadIds: readonly string[],
): Promise<readonly (Contact & { readonly id: string })[]> {
  if (leadIds.length === 0) return []
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'email', 'payload'])
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .execute()
  return rows.map(toContact)
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
 * Finds the leads that must not be sent: those of listed people, unless an operator has released the lead since the
 * person was last listed (ruling 36).
 */
export async function findStoppedLeads(
  db: Db,
  leads: readonly (Contact & { readonly id: string })[],
): Promise<ReadonlySet<string>> {
  const listed = await findListed(db, leads, await readListSecret(db))
  if (listed.size === 0) return new Set()
  const released = await db
    .selectFrom('leads')
    .select(['id', 'released_at'])
    .where('id', 'in', [...listed.keys()])
    .where('released_at', 'is not', null)
    .execute()
  const releasedAt = new Map(released.map((row) => [row.id, row.released_at ?? 0]))
  return new Set([...listed].flatMap(([id, at]) => ((releasedAt.get(id) ?? 0) > at ? [] : [id])))
}

/** The condition, in a query of `deliveries`, for a lead that has been sent, whatever the distributor answered. */
export const wasSent = sql<boolean>`(settled_as = 'delivered' or exists (
  select 1 from attempts where attempts.delivery_id = deliveries.id
  and outcome not in ('unreachable', 'not-made')))`

/** Keeps, for the page Do not contact, which of the leads had been sent before their person was listed. */
export async function keepSentLeads(db: Db, leadIds: readonly string[], now: number) {
  if (leadIds.length === 0) return
  await db
    .insertInto('sent_before_stop')
    .columns(['lead_id', 'stopped_at'])
    .expression(
      db
        .selectFrom('deliveries')
        .select(['lead_id', sql<number>`cast(${now} as bigint)`.as('stopped_at')])
        .where('lead_id', 'in', leadIds)
        .where(wasSent),
    )
    .onConflict((conflict) => conflict.column('lead_id').doNothing())
    .execute()
}
