import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { hour } from '#domain/durations.ts'
import { normalizeName } from '#domain/lead/duplicate.ts'
import type { Lead } from '#domain/lead/lead.ts'
import {
  classifySearch,
  describeFoundLeads,
  isSearchTerm,
  parsePhoneDigits,
  type SearchFault,
  type SearchTerm,
} from '#domain/lead/person-search.ts'
import { parseReference } from '#domain/lead/reference.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { findReferencedIds } from './find-references.ts'
import { makeAbuseSignalKey, makeReferenceKey, parseReferenceKey } from './search-keys.ts'
import { type RateLimitedRevealDependencies, runRateLimitedReveal } from './view-lead.ts'

interface SearchStorage extends RateLimitedRevealDependencies {
  readonly database: Pick<LeadDatabase, 'db'>
}

/**
 * Stores an operator's search as keyed hashes, and resolves with an opaque id for URLs, or with the reason why the text
 * cannot be searched for. A search for a person requires its own permission, counts toward the reveal limit, and appears in the
 * audit log without the text (reading 30). A search for a reference is neither limited nor recorded, because a
 * reference names no person.
 */
export async function storePersonSearch(
  { database: { db }, ...reveal }: SearchStorage,
  actor: ConsoleActor,
  text: string,
  at: number,
): Promise<{ readonly id: string } | { readonly fault: SearchFault }> {
  authorize(actor, 'see leads', at)
  const search = classifySearch(text)
  if ('fault' in search) return search
  const keys = await readSearchKeys(db, text)
  if (search.term === 'reference') return { id: await keepLeadSearch(db, actor.id, keys, at) }
  authorize(actor, 'search for a person', at)
  const marked = [termPrefix + search.term, ...keys]
  const keep = () => keepLeadSearch(db, actor.id, marked, at)
  const id = await runRateLimitedReveal(
    reveal,
    actor,
    { at, action: 'searched for a person' },
    keep,
  )
  if (id === undefined) throw new SearchExpiredError()
  return { id }
}

/** Marks the search term among the stored keys of a search. Release 0.2.0 reads the mark as a key of no lead. */
const termPrefix = 'term:'

/** Describes an action's leads for the audit log. @param query the filter; empty for every lead of the search */
export const describeSearchedLeads = (term: SearchTerm | undefined, query: string): string =>
  `${describeFoundLeads(term)}${query && `, filter: ${query}`}`

/** Thrown if a search belongs to another operator, is too old, or needs a permission that the operator has lost. */
export class SearchExpiredError extends Error {
  override readonly name = 'SearchExpiredError'
}

/** Finds an operator's search; undefined without a search. @throws SearchExpiredError */
export async function findPersonSearch(
  db: Kysely<StoreTables>,
  searchId: string | undefined,
  actor: ConsoleActor,
  now: number,
) {
  if (searchId === undefined) return undefined
  const stored = await findLeadSearch(db, searchId, actor.id, now)
  if (stored === undefined) throw new SearchExpiredError()
  const keys = stored.filter((key) => !key.startsWith(termPrefix))
  const mark = stored.find((key) => key.startsWith(termPrefix))?.slice(termPrefix.length) ?? ''
  // An operator whose role was reduced to viewer may still have the id of an earlier search.
  const isOfPerson = keys.some((key) => parseReferenceKey(key) === undefined)
  if (isOfPerson && !isAllowed(actor.role, 'search for a person')) {
    throw new SearchExpiredError()
  }
  // A search that release 0.2.0 stored has no term.
  const term = isOfPerson ? (isSearchTerm(mark) ? mark : undefined) : ('reference' as const)
  return { term, keys }
}

export const searchLifetimeMs = hour

/** The most searches kept per operator; further searches replace the oldest. */
const maxKept = 50

const isSearchId = /^[\w-]{16}$/

export async function deleteExpiredSearches(db: Kysely<StoreTables>, now: number): Promise<void> {
  await db
    .deleteFrom('lead_searches')
    .where('created_at', '<', now - searchLifetimeMs)
    .execute()
}

/** Stores an operator's search for an hour: keyed hashes, without the text. @returns an opaque id */
export async function keepLeadSearch(
  db: Kysely<StoreTables>,
  operator_id: string,
  keys: readonly string[],
  now: number,
): Promise<string> {
  const id = randomBytes(12).toString('base64url')
  await runInTransaction(db, async (tx) => {
    await deleteExpiredSearches(tx, now)
    await tx
      .insertInto('lead_searches')
      .values({ id, operator_id, keys: JSON.stringify(keys), created_at: now })
      .execute()
    const older = tx
      .selectFrom('lead_searches')
      .select('id')
      .where('operator_id', '=', operator_id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1000)
      .offset(maxKept)
    await tx.deleteFrom('lead_searches').where('id', 'in', older).execute()
  })
  return id
}

/** Finds the keys of a search; undefined if it belongs to another operator, is too old or never existed. */
export async function findLeadSearch(
  db: Kysely<StoreTables>,
  id: string,
  operatorId: string,
  now: number,
): Promise<readonly string[] | undefined> {
  // The database may log queries, so it must not receive personal data that someone typed into the URL.
  if (!isSearchId.test(id)) return undefined
  const row = await db
    .selectFrom('lead_searches')
    .select('keys')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .where('created_at', '>=', now - searchLifetimeMs)
    .executeTakeFirst()
  return row && JSON.parse(row.keys)
}

type KeyKind = 'email' | 'phone' | 'name'

/** The length of a key in base64url characters. A key has more than 128 bits, so that two people never share a key. */
const keyLength = 22

/**
 * Makes the keyed hashes that find a person's leads. With plain hashes, anyone with a copy of the table could find the
 * phone numbers by trying every number.
 * @param secret the store's secret
 */
export function hashPersonKeys(
  secret: string,
  { email, phone, lastName }: Partial<Pick<Lead, 'email' | 'phone' | 'lastName'>>,
): readonly string[] {
  return [
    ...(email?.includes('@') ? [hashKey(secret, 'email', toEmailAddress(email))] : []),
    ...(phone ? [hashKey(secret, 'phone', phone)] : []),
    ...(lastName ? [hashKey(secret, 'name', normalizeName(lastName))] : []),
  ]
}

/** Makes the keys that find a lead: hashes of the email address, phone number and last name, and abuse signals. */
export const makeLeadSearchKeys = (
  secret: string,
  lead: Partial<Pick<Lead, 'email' | 'phone' | 'lastName'>>,
  signals: readonly AbuseSignal[],
): readonly string[] => [
  ...new Set([...hashPersonKeys(secret, lead), ...signals.map(makeAbuseSignalKey)]),
]

/**
 * Makes the keys for each possible meaning of a search text: a reference, an email address, a phone number, or a last
 * name with or without a first name. Empty for texts that cannot be searched for.
 */
export async function readSearchKeys(
  db: Kysely<StoreTables>,
  text: string,
): Promise<readonly string[]> {
  const secret = await readSearchKeySecret(db)
  const typed = text.trim()
  const search = classifySearch(typed)
  if ('fault' in search) return []
  switch (search.term) {
    case 'reference': {
      const reference = parseReference(typed)
      if (reference === undefined) return [makeReferenceKey(typed.toLowerCase())]
      const ids = await findReferencedIds(db, reference)
      // Without a lead, the reference itself stands for the id that no lead has.
      return (ids.length === 0 ? [reference] : ids).map(makeReferenceKey)
    }
    case 'email':
      return hashPersonKeys(secret, { email: typed })
    case 'phone':
      return hashPersonKeys(secret, { phone: parsePhoneDigits(typed) ?? '' })
    default: {
      const words = typed.split(/\s+/)
      return words.flatMap((_, from) =>
        hashPersonKeys(secret, { lastName: words.slice(from).join(' ') }),
      )
    }
  }
}

const hashKey = (secret: string, kind: KeyKind, value: string): string =>
  createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url').slice(0, keyLength)
