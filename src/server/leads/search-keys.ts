import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { normalizeName } from '#domain/lead/duplicate.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { classifySearch, parsePhoneDigits } from '#domain/lead/person-search.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'

type KeyKind = 'email' | 'phone' | 'name'

/** The length of a key in base64url characters. A key has more than 128 bits, so that two people never share a key. */
const keyLength = 22

/**
 * Makes the keyed hashes that find a person's leads. With plain hashes, anyone with a copy of the table could find the
 * phone numbers by trying every number.
 * @param secret the store's secret
 */
function hashPersonKeys(
  secret: string,
  { email, phone, lastName }: Partial<Pick<Lead, 'email' | 'phone' | 'lastName'>>,
): readonly string[] {
  return [
    ...(email?.includes('@') ? [hashKey(secret, 'email', toEmailAddress(email))] : []),
    ...(phone ? [hashKey(secret, 'phone', phone)] : []),
    ...(lastName ? [hashKey(secret, 'name', normalizeName(lastName))] : []),
  ]
}

/** An abuse signal is not personal data, so its key is not hashed. */
export const makeAbuseSignalKey = (signal: AbuseSignal): string => `signal:${signal}`

/** Makes the keys that find a lead: hashes of the email address, phone number and last name, and abuse signals. */
export const makeLeadSearchKeys = (
  secret: string,
  lead: Partial<Pick<Lead, 'email' | 'phone' | 'lastName'>>,
  signals: readonly AbuseSignal[],
): readonly string[] => [
  ...new Set([...hashPersonKeys(secret, lead), ...signals.map(makeAbuseSignalKey)]),
]

const referencePrefix = 'reference:'

export const makeReferenceKey = (leadId: string): string => referencePrefix + leadId

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
    case 'reference':
      return [makeReferenceKey(typed.toLowerCase())]
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

export const parseReferenceKey = (key: string): string | undefined =>
  key.startsWith(referencePrefix) ? key.slice(referencePrefix.length) : undefined

const hashKey = (secret: string, kind: KeyKind, value: string): string =>
  createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url').slice(0, keyLength)
