import { areaPath } from '../area.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from './lead.ts'

/** Replaces a hidden value; always the same length, so that it does not reveal the value's. */
const hidden = '•••'

type Masks<Shown> = {
  readonly [Field in keyof Shown]: (value: Shown[Field], lead: Shown) => Shown[Field]
}

const shown = <Value>(value: Value): Value => value
const hide = (text: string): string => (text === '' ? '' : hidden)

const initial = (text: string): string => (text === '' ? '' : `${[...text][0]}${hidden}`)

/** `z•••@e•••.com`: enough to tell two leads of a list apart. */
function maskEmail(email: string): string {
  const [name = '', domain] = email.split('@')
  if (domain === undefined) return hide(email)
  return `${initial(name)}@${initial(domain)}.${domain.split('.').at(-1)}`
}

/** Shows the last two of ten digits. */
const maskPhone = (phone: string): string => `${hidden}${phone.slice(-2)}`

/**
 * Hides an affiliate's id that may hold an email address or phone number: one with an "@", or with seven or more digits.
 * Other ids are shown, as operators identify affiliates by them.
 */
export function maskAffiliate(id: string): string {
  const plain = id.normalize('NFKC')
  const isPersonal = /@|%40/.test(plain) || plain.replace(/\P{Nd}/gu, '').length >= 7
  return isPersonal ? hidden : id
}

/** Shows at most the first half of an address: a large network. */
const maskIp = (ip: string): string =>
  ip.includes(':')
    ? `${ip.split(':').slice(0, 2).join(':')}:${hidden}`
    : ip.split('.', 2).join('.') + (ip === '' ? '' : `.${hidden}`)

/** Names the page by its area: the link that brought the visitor there may hold anything in its path. */
const maskConsent = (consent: Consent, { area }: Pick<Lead, 'area'>): Consent => ({
  ...consent,
  ip: maskIp(consent.ip),
  userAgent: hide(consent.userAgent),
  pageUrl: consent.pageUrl.split('/', 3).join('/') + areaPath(area),
})

const maskKeptConsent = (consent: Consent | null, lead: Pick<Lead, 'area'>) =>
  consent && maskConsent(consent, lead)

/** Each field of a lead has its mask; the compiler asks for one for a new field. */
const masks: Masks<Lead> = {
  id: shown,
  receivedAt: shown,
  area: shown,
  subId: (subId) => subId && maskAffiliate(subId),
  firstName: initial,
  lastName: initial,
  phone: maskPhone,
  email: maskEmail,
  street: hide,
  city: hide,
  state: shown,
  zip: (zip) => `${zip.slice(0, 3)}••`,
  zipPlus4: (zip) => zip && `${zip.slice(0, 3)}••`,
  addressVerified: shown,
  educationLevel: shown,
  graduatingYear: shown,
  program: shown,
  startDateId: shown,
  gpc: shown,
  openedAt: shown,
  consent: maskConsent,
}

const ofErased: Masks<ErasedLead> = {
  id: shown,
  receivedAt: shown,
  area: shown,
  program: shown,
  gpc: shown,
  erasedAt: shown,
  erasedBy: shown,
  consent: maskKeptConsent,
}

const ofUnreadable: Masks<UnreadableLead> = {
  id: shown,
  receivedAt: shown,
  area: shown,
  email: maskEmail,
  unreadable: shown,
  consent: maskKeptConsent,
}

/** Shows a lead without its person: initials, and the fields that describe nobody in particular. */
export function maskLead(lead: Lead): Lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead): typeof lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead) {
  if ('erasedAt' in lead) return masked(lead, ofErased)
  return 'unreadable' in lead ? masked(lead, ofUnreadable) : masked(lead, masks)
}

/** Leaves out fields without a mask, such as those that a newer release has stored. */
const masked = <Shown extends object>(lead: Shown, by: Masks<Shown>): Shown =>
  Object.fromEntries(
    Object.entries(by).map(([field, mask]) => [
      field,
      (mask as (value: unknown, lead: Shown) => unknown)(lead[field as keyof Shown], lead),
    ]),
  ) as Shown

/** The initials of a name, at most three, such as "A. L.": operators tell lines of a list apart by them. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .slice(0, 3)
    .join(' ')
