import { isEmail } from '#domain/enquiry/contact.ts'
import { normalizeEmail } from '#domain/enquiry/normalize-answers.ts'
import { normalizePhone, parsePhoneNumber } from '#domain/enquiry/phone.ts'
import { toPlainLine, toPlainLineUpTo } from '#domain/text/plain-line.ts'
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
 * imported. A value in another column is a fault, because the person would stay unprotected.
 */
export async function parseDoNotContact(text: string): Promise<ParsedList> {
  const faults: LineFault[] = []
  if (Buffer.byteLength(text) > maxListBytes) {
    return { hashes: [], faults: [{ line: 1, message: 'a file may have 80 MB: split it' }] }
  }
  const hashes = new Set<string>()
  const refusedColumns = new Set<number>()
  let headings: readonly string[] | undefined
  for await (const { line, values: cells } of parseLongCsv(openCsv(text), faults)) {
    const values = cells.map((cell) => toPlainLine(removeFormulaMarks(cell)))
    if (headings === undefined) {
      headings = isHeadingLine(values) ? values : []
      if (headings.length > 0) continue
    }
    let found = 0
    for (const [index, value] of values.entries()) {
      if (value === '') continue
      if (headings.length > 0 && !isHeading(headings[index] ?? '')) {
        if (refusedColumns.has(index) || !hasListValue(value)) continue
        refusedColumns.add(index)
        faults.push({ line, message: explainColumn(headings[index], index) })
        continue
      }
      found++
      const hash = hashListValue(value)
      if (hash === undefined) faults.push({ line, message: explainWrongValue(value) })
      else hashes.add(hash)
    }
    if (found === 0 && refusedColumns.size === 0)
      faults.push({ line, message: 'no address, number or hash' })
  }
  if (hashes.size === 0 && faults.length === 0) {
    faults.push({ line: 1, message: 'the file is empty' })
  }
  return { hashes: [...hashes], faults }
}

const isHeading = (text: string): boolean =>
  /^(?:e-?mail|phone|mobile|cell|sha-?256|hash)/i.test(text)

/** A line with a value, even a mistyped one, is no line of headings: its person would stay unprotected. */
const isHeadingLine = (values: readonly string[]): boolean =>
  values.some((text) => /mail|phone|mobile|cell|sha-?256|hash/i.test(text)) &&
  !values.some((text) => /@|(?:\d\D*){7}/.test(text) || hasListValue(text))

const isSha256 = (text: string): boolean => /^[\da-f]{64}$/i.test(text)

/** Returns the hash of an email address or phone number, or a given hash in lower case; undefined for another text. */
function hashListValue(text: string): string | undefined {
  if (isSha256(text)) return text.toLowerCase()
  const [email, phone] = [readEmail(text), readPhone(text)]
  return hashContact(email ? { email } : phone ? { phone } : {})[0]
}

/** Whether a text is or has a value, as in `by phone: ada@example.com`. */
const hasListValue = (text: string): boolean =>
  [text, ...text.split(/[,;|/]/), ...text.split(/[\s,;|<>()]/)].some(
    (part) => hashListValue(part.trim()) !== undefined,
  )

/** Reads an address as the form stores it (at most 254 characters): otherwise, the entry would match no lead. */
function readEmail(text: string): string | undefined {
  const email = normalizeEmail(text)
  return email.length <= 254 && isEmail(email) ? email : undefined
}

/** Reads a phone number as the form does, but not from a text with letters, such as a mistyped address or hash. */
const readPhone = (text: string): string | undefined =>
  /[\p{L}@]/u.test(text) ? undefined : parsePhoneNumber(normalizePhone(toPlainLine(text)))

const explainColumn = (heading: string | undefined, index: number): string =>
  `the column ${heading ? `“${toPlainLineUpTo(heading, 70)}”` : index + 1} has an address, number or hash: rename or remove the column (headings that count begin with email, phone, mobile, cell, sha256 or hash)`

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
  const [typedEmail, typedPhone] = [toPlainLine(typed.email), toPlainLine(typed.phone)]
  const [email, phone] = [readEmail(typedEmail), readPhone(typedPhone)]
  const contact: Contact = { ...(email && { email }), ...(phone && { phone }) }
  const errors: Partial<TypedContact> = {
    ...(typedEmail !== '' && email === undefined
      ? { email: 'Enter the full email address, such as ada@example.com.' }
      : {}),
    ...(typedPhone !== '' && phone === undefined
      ? { phone: 'Enter all 10 digits of the phone number.' }
      : {}),
    ...(typedEmail + typedPhone === ''
      ? { email: 'Enter an email address or a phone number.' }
      : {}),
  }
  return { contact, errors }
}
