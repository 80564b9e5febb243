import { type Area, areaPath } from '../area.ts'
import { extractDigits } from '../enquiry/phone.ts'
import { type Attribution, clickIdParams, decodeUrlEscapes, type Touch } from './attribution.ts'
import { normalizeName } from './duplicate.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from './lead.ts'

/** Replaces a hidden value. All masks have the same length, so they reveal nothing about the length of values. */
export const hidden = '•••'

type Maskable = Lead &
  Pick<ErasedLead, 'erasedAt' | 'erasedBy'> &
  Pick<UnreadableLead, 'unreadable'>

const showValue = <Value>(value: Value): Value => value
const maskText = (text: string): string => (text === '' ? '' : hidden)

const maskAfterInitial = (text: string): string => (text === '' ? '' : `${[...text][0]}${hidden}`)

/** Returns a text such as `z•••@e•••.com`, which is enough to tell apart two leads of a list. */
function maskEmail(email: string): string {
  const [name = '', domain] = email.split('@')
  if (domain === undefined) return maskText(email)
  return `${maskAfterInitial(name)}@${maskAfterInitial(domain)}.${domain.split('.').at(-1)}`
}

/** Shows only the last two digits of a phone number. */
const maskPhone = (phone: string): string => `${hidden}${phone.slice(-2)}`

/**
 * Hides an affiliate id that may contain an email address or a phone number: an id with an “@”, or with seven or more
 * digits. Other ids stay visible, because operators know affiliates by their ids.
 */
export function maskAffiliateId(id: string): string {
  const plain = id.normalize('NFKC')
  const isPersonal = /@|%40/.test(plain) || plain.replace(/\P{Nd}/gu, '').length >= 7
  return isPersonal ? hidden : id
}

/** Hides a campaign value with an email address. Digits stay visible, because ad platforms number their campaigns. */
export const maskCampaign = (value: string): string =>
  /@|%40/.test(value.normalize('NFKC')) ? hidden : value

const splitWords = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')

/** Lists the normalized texts that identify a person: names with their parts, the email address, and the street. */
function listPersonalTerms({
  firstName,
  lastName,
  email,
  street,
}: PersonalData): readonly string[] {
  const names = [firstName, lastName].map(normalizeName)
  const [first = '', last = ''] = names
  const [initial = ''] = first
  const parts = splitWords(`${firstName} ${lastName}`).filter((part) => part.length > 2)
  const [mailbox = ''] = email.split('@')
  const [number = '', ...streetName] = splitWords(street)
  return [
    ...[...names, first + last, last + first, initial + last, last + initial, ...parts],
    ...[email, mailbox, mailbox.split('+', 1)[0] ?? ''],
    ...[street, `${number}${streetName[0] ?? ''}`, /\d/.test(number) ? streetName.join('') : ''],
  ].map(normalizeName)
}

type PersonalData = Pick<Lead, 'firstName' | 'lastName' | 'phone' | 'email' | 'street'>

/** "Lee" is part of "sleep", so shorter terms must be whole words; one letter of Latin is no term at all. */
const minTermWithinWords = 5

/**
 * Returns a function that tells whether a text from a link contains the lead's own name, phone number, email address or
 * street, however the text is encoded, written or punctuated.
 */
export function makePersonalDataFinder(lead: PersonalData): (text: string) => boolean {
  const isForeign = (term: string) => /[^\0-\x7f]/.test(term)
  const terms = listPersonalTerms(lead).filter((term) => term.length > 1 || isForeign(term))
  // Without the area code, a phone number still has seven digits.
  const phone = String(lead.phone).slice(-7)
  return (text) => {
    const decoded = decodeUrlEscapes(text)
    const letters = normalizeName(decoded)
    const words = new Set(splitWords(decoded).map(normalizeName))
    const isFound = (term: string) =>
      words.has(term) ||
      (term.length >= (isForeign(term) ? 2 : minTermWithinWords) && letters.includes(term))
    const digits = [...decoded].map(extractDigits).join('')
    return terms.some(isFound) || (phone.length === 7 && digits.includes(phone))
  }
}

/** Hides click ids, because a click id identifies a person to the ad platform that made the id, and personal data. */
function maskAttribution({ first, last }: Attribution, lead: PersonalData): Attribution {
  const isPersonal = makePersonalDataFinder(lead)
  const maskTouch = (touch: Touch): Touch =>
    Object.fromEntries(
      Object.entries(touch).map(([part, value]) => {
        const isClickId = clickIdParams.some((param) => param === part)
        return [part, isClickId || isPersonal(value) ? hidden : maskCampaign(value)]
      }),
    )
  return { first: maskTouch(first), last: maskTouch(last) }
}

/** Shows at most the first half of an IP address, which names only a large network. */
const maskIp = (ip: string): string =>
  ip.includes(':')
    ? `${ip.split(':').slice(0, 2).join(':')}:${hidden}`
    : ip.split('.', 2).join('.') + (ip === '' ? '' : `.${hidden}`)

/** Replaces the path of the page's URL by the area's path, because a link to the page may contain any text. */
const maskConsent = (consent: Consent, area: Area): Consent => ({
  ...consent,
  ip: maskIp(consent.ip),
  userAgent: maskText(consent.userAgent),
  pageUrl: consent.pageUrl.split('/', 3).join('/') + areaPath(area),
})

/** The mask of each field of a lead. The compiler reports a missing mask. */
const masks: {
  readonly [Field in keyof Omit<Maskable, 'consent'>]: (
    value: Maskable[Field],
    lead: Lead,
  ) => Maskable[Field]
} = {
  id: showValue,
  receivedAt: showValue,
  area: showValue,
  subId: (subId, lead) =>
    subId && (makePersonalDataFinder(lead)(subId) ? hidden : maskAffiliateId(subId)),
  firstName: maskAfterInitial,
  lastName: maskAfterInitial,
  phone: maskPhone,
  email: maskEmail,
  street: maskText,
  city: maskText,
  state: showValue,
  zip: (zip) => `${zip.slice(0, 3)}••`,
  zipPlus4: (zip) => zip && `${zip.slice(0, 3)}••`,
  addressVerified: showValue,
  educationLevel: showValue,
  graduatingYear: showValue,
  program: showValue,
  startDateId: showValue,
  gpc: showValue,
  openedAt: showValue,
  attribution: (attribution, lead) => attribution && maskAttribution(attribution, lead),
  erasedAt: showValue,
  erasedBy: showValue,
  unreadable: showValue,
}

/**
 * Returns a lead without personal data: initials, and the fields that identify nobody. A field without a mask, such as
 * one from a newer version, is left out.
 */
export function maskLead<Shown extends Lead | ErasedLead | UnreadableLead>(lead: Shown): Shown {
  const masked = Object.entries(masks)
    .filter(([field]) => field in lead)
    .map(([field, mask]) => [
      field,
      (mask as (value: unknown, lead: Shown) => unknown)(lead[field as keyof Shown], lead),
    ])
  const consent = lead.consent && maskConsent(lead.consent, lead.area)
  return { ...Object.fromEntries(masked), consent }
}

/** Returns the initials of a name's first three words, so that operators can tell apart the lines of a list. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .slice(0, 3)
    .join(' ')
