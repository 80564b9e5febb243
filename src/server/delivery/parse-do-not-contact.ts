import { classifySearch, parsePhoneDigits } from '#domain/lead/person-search.ts'
import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import { type Contact, hashContact } from '#server/leads/do-not-contact.ts'
import { type LineFault, openCsv, parseLongCsv } from '#server/platform/csv-lines.ts'
import { removeFormulaMarks } from '#server/platform/export-formats.ts'

/** The most bytes of a file: a million lines with a SHA-256 hash. The console accepts smaller files. */
export const maxListBytes = 80 * 1024 * 1024

export interface ParsedList {
  /** The SHA-256 hashes of all values, in hex, each once. */
  readonly hashes: readonly string[]
  readonly faults: readonly LineFault[]
}

/**
 * Parses a list of people not to contact: CSV with email addresses, phone numbers or their SHA-256 hashes, in any
 * columns or, with a line of headings, in the columns whose heading names one of them. A file with faults is not
 * imported.
 */
export async function parseDoNotContact(text: string): Promise<ParsedList> {
  const faults: LineFault[] = []
  if (Buffer.byteLength(text) > maxListBytes) {
    return { hashes: [], faults: [{ line: 1, message: 'a file may have 80 MB: split it' }] }
  }
  const hashes = new Set<string>()
  let columns: readonly number[] | undefined
  for await (const { line, values } of parseLongCsv(openCsv(text), faults)) {
    if (columns === undefined) {
      columns = [...values.keys()].filter((index) => isHeading(values[index] ?? ''))
      if (columns.length > 0) continue
    }
    const given = columns.length === 0 ? values : columns.map((index) => values[index] ?? '')
    const found = given.map((value) => removeFormulaMarks(value).trim()).filter(Boolean)
    if (found.length === 0) faults.push({ line, message: 'no address, number or hash' })
    for (const value of found) {
      const hash = hashListValue(value)
      if (hash === undefined) faults.push({ line, message: explainWrongValue(value) })
      else hashes.add(hash)
    }
  }
  if (hashes.size === 0 && faults.length === 0) {
    faults.push({ line: 1, message: 'the file is empty' })
  }
  return { hashes: [...hashes], faults }
}

const isHeading = (text: string): boolean =>
  hashListValue(text) === undefined && !text.includes('@') && /mail|phone|sha-?256|hash/i.test(text)

const isSha256 = (text: string): boolean => /^[\da-f]{64}$/i.test(text)

/** Returns the hash of an email address or phone number, or a given hash in lower case; undefined for another text. */
function hashListValue(text: string): string | undefined {
  return isSha256(text) ? text.toLowerCase() : hashContact(readContactValue(text))[0]
}

function readContactValue(text: string): Contact {
  const search = classifySearch(text)
  const term = 'term' in search ? search.term : undefined
  const phone = term === 'phone' ? parsePhoneDigits(text) : undefined
  return term === 'email' ? { email: text } : phone ? { phone } : {}
}

function explainWrongValue(text: string): string {
  const quoted = `“${toPlainLineUpTo(text, 70)}”`
  return /^[\da-f]{32}$|^[\da-f]{40}$/i.test(text)
    ? `${quoted} is an MD5 or SHA-1 hash: ask for SHA-256 hashes`
    : `${quoted} is no email address, 10-digit phone number or SHA-256 hash`
}

/** What an operator typed to name a person. */
export interface TypedContact {
  readonly email: string
  readonly phone: string
}

/** Reads the person that an operator named. Don't use the contact if there are errors. */
export function parseTypedContact(typed: TypedContact) {
  const [email, phone] = [typed.email.trim(), typed.phone.trim()]
  const contact: Contact = { ...readContactValue(email), ...readContactValue(phone) }
  const errors: Partial<TypedContact> = {
    ...(email !== '' && readContactValue(email).email === undefined
      ? { email: 'Enter the full email address, such as ada@example.com.' }
      : {}),
    ...(phone !== '' && readContactValue(phone).phone === undefined
      ? { phone: 'Enter all 10 digits of the phone number.' }
      : {}),
    ...(email + phone === '' ? { email: 'Enter an email address or a phone number.' } : {}),
  }
  return { contact, errors }
}
