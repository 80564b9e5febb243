import { type Area, areaPath } from '../area.ts'
import { extractDigits } from '../enquiry/phone.ts'
import { type Attribution, clickIdParams, decodeUrlEscapes, type Touch } from './attribution.ts'
import { normalizeName } from './duplicate.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from './lead.ts'
import { hidden, maskText, maskZip, splitWords } from './personal-values.ts'
import { findStoredAnswer, type StoredAnswers, storedNames } from './stored-answers.ts'

type Maskable = Lead &
  Pick<ErasedLead, 'erasedAt' | 'erasedBy'> &
  Pick<UnreadableLead, 'unreadable'>

const showValue = <Value>(value: Value): Value => value

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

/** Lists the normalized texts that identify a person: names with their parts, the email address, and the street. */
function listPersonalTerms(person: StoredAnswers): readonly string[] {
  const [first = '', last = ''] = [person.firstName, person.lastName].map(normalizeName)
  const [initial = ''] = first
  const terms = storedNames.flatMap(
    (name) => findStoredAnswer(name).personal?.listTerms?.(person[name]) ?? [],
  )
  return [
    ...[first + last, last + first, initial + last, last + initial],
    ...terms.map(normalizeName),
  ]
}

/** "Lee" is part of "sleep", so shorter terms must be whole words; one letter of Latin is no term at all. */
const minTermWithinWords = 5

/**
 * Returns a function that tells whether a text from a link contains the lead's own name, phone number, email address or
 * street, however the text is encoded, written or punctuated.
 */
export function makePersonalDataFinder(lead: StoredAnswers): (text: string) => boolean {
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
function maskAttribution({ first, last }: Attribution, lead: StoredAnswers): Attribution {
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

type Masks<Fields> = {
  readonly [Field in keyof Fields]: (value: Fields[Field], lead: Lead) => Fields[Field]
}

const answerMasks = Object.fromEntries(
  storedNames.map((name) => [name, findStoredAnswer(name).personal?.mask ?? showValue]),
) as unknown as Masks<StoredAnswers>

/** The mask of each field of a lead. The compiler reports a missing mask. */
const masks: Masks<Omit<Maskable, 'consent'>> = {
  ...answerMasks,
  id: showValue,
  receivedAt: showValue,
  area: showValue,
  subId: (subId, lead) =>
    subId && (makePersonalDataFinder(lead)(subId) ? hidden : maskAffiliateId(subId)),
  zipPlus4: (zip) => zip && maskZip(zip),
  addressVerified: showValue,
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
