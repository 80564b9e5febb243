import { areaPath } from '../area.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from './lead.ts'

/** Replaces a hidden value; the fixed length reveals nothing about the value's length. */
const hidden = '•••'

type Masks<Shown> = {
  readonly [Field in keyof Shown]: (value: Shown[Field], lead: Shown) => Shown[Field]
}

const shown = <Value>(value: Value): Value => value
const hide = (text: string): string => (text === '' ? '' : hidden)

const initial = (text: string): string => (text === '' ? '' : `${[...text][0]}${hidden}`)

/** Returns, for example, `z•••@e•••.com`, which is enough to tell two leads of a list apart. */
function maskEmail(email: string): string {
  const [name = '', domain] = email.split('@')
  if (domain === undefined) return hide(email)
  return `${initial(name)}@${initial(domain)}.${domain.split('.').at(-1)}`
}

/** Shows the last two of ten digits. */
const maskPhone = (phone: string): string => `${hidden}${phone.slice(-2)}`

/**
 * Hides an affiliate's id that may contain an email address or phone number: an id with an "@", or with seven or more
 * digits. Other ids are shown, because operators identify affiliates by their ids.
 */
export function maskAffiliate(id: string): string {
  const plain = id.normalize('NFKC')
  const isPersonal = /@|%40/.test(plain) || plain.replace(/\P{Nd}/gu, '').length >= 7
  return isPersonal ? hidden : id
}

/** Shows at most the first half of an address, which identifies only a large network. */
const maskIp = (ip: string): string =>
  ip.includes(':')
    ? `${ip.split(':').slice(0, 2).join(':')}:${hidden}`
    : ip.split('.', 2).join('.') + (ip === '' ? '' : `.${hidden}`)

/** Replaces the page's address by the area's path, because the address of the visitor's link may contain anything. */
const maskConsent = (consent: Consent, { area }: Pick<Lead, 'area'>): Consent => ({
  ...consent,
  ip: maskIp(consent.ip),
  userAgent: hide(consent.userAgent),
  pageUrl: consent.pageUrl.split('/', 3).join('/') + areaPath(area),
})

const maskKeptConsent = (consent: Consent | null, lead: Pick<Lead, 'area'>) =>
  consent && maskConsent(consent, lead)

/** Every field of a lead needs a mask; the compiler reports a missing mask. */
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

const erasedLeadMasks: Masks<ErasedLead> = {
  id: shown,
  receivedAt: shown,
  area: shown,
  program: shown,
  gpc: shown,
  erasedAt: shown,
  erasedBy: shown,
  consent: maskKeptConsent,
}

const unreadableLeadMasks: Masks<UnreadableLead> = {
  id: shown,
  receivedAt: shown,
  area: shown,
  email: maskEmail,
  unreadable: shown,
  consent: maskKeptConsent,
}

/** Shows a lead without personal data: initials, and the fields that identify nobody. */
export function maskLead(lead: Lead): Lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead): typeof lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead) {
  if ('erasedAt' in lead) return masked(lead, erasedLeadMasks)
  return 'unreadable' in lead ? masked(lead, unreadableLeadMasks) : masked(lead, masks)
}

/** Leaves out fields without a mask, such as fields that a newer release has stored. */
const masked = <Shown extends object>(lead: Shown, by: Masks<Shown>): Shown =>
  Object.fromEntries(
    Object.entries(by).map(([field, mask]) => [
      field,
      (mask as (value: unknown, lead: Shown) => unknown)(lead[field as keyof Shown], lead),
    ]),
  ) as Shown

/** Returns at most three initials of a name, such as "A. L.", so that operators can tell the lines of a list apart. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .slice(0, 3)
    .join(' ')
