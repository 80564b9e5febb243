import { areaPath } from '../../area.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from '../lead.ts'
import { unescapedWhole } from './escapes.ts'

/** In the place of what is not shown; of one length, so that it tells none. */
export const hidden = '•••'

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

/** Of ten digits the last two. */
const maskPhone = (phone: string): string => `${hidden}${phone.slice(-2)}`

/**
 * An affiliate's id is shown, as one has to tell them apart. Some put a person's address or number there.
 */
export function maskAffiliate(id: string): string {
  const plain = unescapedWhole(id).normalize('NFKC')
  if (plain.includes('@')) return maskEmail(plain)
  return phone.test(plain) ? maskPhone(plain) : id
}

/** As in the United States; many an id is a number of another length. */
const phone = /^\s*\+?(?:1[\s().-]*)?\(?[2-9]\d{2}\)?[\s.-]*\d{3}[\s.-]*\d{4}\s*$/

/** Of an address the first half at most: a large network. */
const maskIp = (ip: string): string =>
  ip.includes(':')
    ? `${ip.split(':').slice(0, 2).join(':')}:${hidden}`
    : ip.split('.', 2).join('.') + (ip === '' ? '' : `.${hidden}`)

/** The page is named by its area: a link that brought somebody there may have had anything in its path. */
const maskConsent = (consent: Consent, { area }: Pick<Lead, 'area'>): Consent => ({
  ...consent,
  ip: maskIp(consent.ip),
  userAgent: hide(consent.userAgent),
  pageUrl: consent.pageUrl.split('/', 3).join('/') + areaPath(area),
})

const maskKeptConsent = (consent: Consent | null, lead: Pick<Lead, 'area'>) =>
  consent && maskConsent(consent, lead)

/** Every part says whether it names the person. */
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

/** As who may not see the person sees them. */
export function maskLead(lead: Lead): Lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead): typeof lead
export function maskLead(lead: Lead | ErasedLead | UnreadableLead) {
  if ('erasedAt' in lead) return masked(lead, ofErased)
  return 'unreadable' in lead ? masked(lead, ofUnreadable) : masked(lead, masks)
}

/** What is stored of it has no other parts: what came later is left out until it has its mask. */
const masked = <Shown extends object>(lead: Shown, by: Masks<Shown>): Shown =>
  Object.fromEntries(
    Object.entries(by).map(([field, mask]) => [
      field,
      (mask as (value: unknown, lead: Shown) => unknown)(lead[field as keyof Shown], lead),
    ]),
  ) as Shown
