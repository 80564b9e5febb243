import type { Kysely } from 'kysely'
import type { LimitedCount } from '#domain/delivery/deliveries-view.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { findLeads, type LeadSearch, type SearchCriteria } from './find-leads.ts'
import { readPayload } from './lead-payload.ts'

/** How many leads one query reads, so that no query blocks the store for long. */
const batchSize = 1000

/** The console shows larger counts as "10,000+". */
const maxRead = 10_000

/**
 * Counts the people whose leads a search finds, in the first 10,000 leads. A person is an email address with a phone
 * number: a last name belongs to many people, and two people may share an email address or a phone number.
 */
export async function countPeople(
  db: Kysely<StoreTables>,
  search: SearchCriteria,
): Promise<LimitedCount> {
  const people = new Set<string>()
  let read = 0
  let after: LeadSearch['after']
  do {
    const page = { ...search, after, towards: 'older', take: batchSize } as const
    const { leads, next } = await findLeads(db, page)
    for (const person of await readPeople(db, leads)) people.add(person.key)
    read += leads.length
    after = next
  } while (after !== undefined && read < maxRead)
  return { count: people.size, isAll: after === undefined }
}

/** Reads whose leads these are. Two leads with the same key are of one person. Leaves out erased leads. */
export async function readPeople(
  db: Kysely<StoreTables>,
  leads: readonly { readonly id: string }[],
): Promise<readonly { readonly key: string; readonly phone: string }[]> {
  if (leads.length === 0) return []
  const ids = leads.map(({ id }) => id)
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'email', 'payload'])
    .where('id', 'in', ids)
    .where('erased_at', 'is', null)
    .execute()
  return rows.map(({ id, email, payload }) => {
    // A lead that cannot be read may be anybody's.
    const phone = readPayload(payload).answers?.phone ?? id
    return { key: `${toEmailAddress(String(email))} ${phone}`, phone }
  })
}
