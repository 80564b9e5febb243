import { type Area, areaPath } from '../area.ts'
import { type Attribution, clickIdParams, type Touch } from './attribution.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from './lead.ts'

/** Replaces a hidden value; the fixed length reveals nothing about the value's length. */
const hidden = '•••'

type Maskable = Lead &
  Pick<ErasedLead, 'erasedAt' | 'erasedBy'> &
  Pick<UnreadableLead, 'unreadable'>

const showValue = <Value>(value: Value): Value => value
const maskText = (text: string): string => (text === '' ? '' : hidden)

const maskAfterInitial = (text: string): string => (text === '' ? '' : `${[...text][0]}${hidden}`)

/** Returns, for example, `z•••@e•••.com`, which is enough to tell two leads of a list apart. */
function maskEmail(email: string): string {
  const [name = '', domain] = email.split('@')
  if (domain === undefined) return maskText(email)
  return `${maskAfterInitial(name)}@${maskAfterInitial(domain)}.${domain.split('.').at(-1)}`
}

/** Shows only the last two of a phone number's ten digits. */
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

/** Hides a campaign value that contains an email address. Ad platforms number their campaigns, so digits are shown. */
export const maskCampaign = (value: string): string =>
  /@|%40/.test(value.normalize('NFKC')) ? hidden : value

/** A click id identifies a person to the ad platform that made the id. */
const maskTouch = (touch: Touch): Touch =>
  Object.fromEntries(
    Object.entries(touch).map(([part, value]) => [
      part,
      clickIdParams.some((param) => param === part) ? hidden : maskCampaign(value),
    ]),
  )

const maskAttribution = ({ first, last }: Attribution): Attribution => ({
  first: maskTouch(first),
  last: maskTouch(last),
})

/** Shows at most the first half of an IP address, which identifies only a large network. */
const maskIp = (ip: string): string =>
  ip.includes(':')
    ? `${ip.split(':').slice(0, 2).join(':')}:${hidden}`
    : ip.split('.', 2).join('.') + (ip === '' ? '' : `.${hidden}`)

/** Replaces the page's URL by the area's path, because a link to the page may contain any text. */
const maskConsent = (consent: Consent, area: Area): Consent => ({
  ...consent,
  ip: maskIp(consent.ip),
  userAgent: maskText(consent.userAgent),
  pageUrl: consent.pageUrl.split('/', 3).join('/') + areaPath(area),
})

/** Every field of a lead needs a mask; the compiler reports a missing mask. */
const masks: {
  readonly [Field in keyof Omit<Maskable, 'consent'>]: (value: Maskable[Field]) => Maskable[Field]
} = {
  id: showValue,
  receivedAt: showValue,
  area: showValue,
  subId: (subId) => subId && maskAffiliate(subId),
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
  attribution: (attribution) => attribution && maskAttribution(attribution),
  erasedAt: showValue,
  erasedBy: showValue,
  unreadable: showValue,
}

/**
 * Shows a lead without personal data: initials, and the fields that identify nobody. Fields without a mask, such as those
 * of a newer release, are left out.
 */
export function maskLead<Shown extends Lead | ErasedLead | UnreadableLead>(lead: Shown): Shown {
  const masked = Object.entries(masks)
    .filter(([field]) => field in lead)
    .map(([field, mask]) => [
      field,
      (mask as (value: unknown) => unknown)(lead[field as keyof Shown]),
    ])
  const consent = lead.consent && maskConsent(lead.consent, lead.area)
  return { ...Object.fromEntries(masked), consent }
}

/** Returns at most three initials of a name, such as "A. L.", so that operators can tell the lines of a list apart. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .slice(0, 3)
    .join(' ')
