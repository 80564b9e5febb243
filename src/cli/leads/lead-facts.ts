import {
  type Consent,
  describeUnreadable,
  type ErasedBy,
  type ErasedLead,
  type Lead,
  type UnreadableLead,
} from '#domain/lead/lead.ts'

export type Fact = readonly [name: string, value: string]

type Facts<Shown> = (lead: Shown) => readonly Fact[]

/** In display order; null for a part that is shown elsewhere, with the place. */
const ofLead: Readonly<Record<keyof Lead, Facts<Lead> | null>> = {
  // Above, with the lead's status.
  id: null,
  receivedAt: null,
  area: areaOf,
  program: programOf,
  subId: ({ subId }) => [['Affiliate', subId ?? '–']],
  firstName: ({ firstName, lastName }) => [['Name', `${firstName} ${lastName}`]],
  // With the first name.
  lastName: null,
  phone: ({ phone }) => [['Phone', phone]],
  email: ({ email }) => [['Email', email]],
  street: ({ street, city, state, zip, zipPlus4 }) => [
    ['Address', `${street}, ${city}, ${state} ${zipPlus4 ?? zip}`],
  ],
  // With the street.
  city: null,
  state: null,
  zip: null,
  zipPlus4: null,
  addressVerified: ({ addressVerified }) => [
    ['', addressVerified ? 'verified' : 'not verified: city and state are the visitor’s'],
  ],
  educationLevel: ({ educationLevel, graduatingYear }) => [
    ['Education', `level ${educationLevel}, graduation year ${graduatingYear}`],
  ],
  // With the education level.
  graduatingYear: null,
  startDateId: ({ startDateId }) => [['Start date', startDateId]],
  openedAt: ({ openedAt }) => (openedAt === null ? [] : [['Opened', time(openedAt)]]),
  consent: consentOf,
  gpc: gpcOf,
}

const ofErasedLead: Readonly<Record<keyof ErasedLead, Facts<ErasedLead> | null>> = {
  // Above, with the lead's status.
  id: null,
  receivedAt: null,
  area: areaOf,
  program: programOf,
  erasedAt: ({ erasedAt, erasedBy }) => [['Erased', `${time(erasedAt)}: ${erasedFor[erasedBy]}`]],
  // With the time.
  erasedBy: null,
  consent: consentOf,
  gpc: gpcOf,
}

const ofUnreadableLead: Readonly<Record<keyof UnreadableLead, Facts<UnreadableLead> | null>> = {
  // Above, with the lead's status.
  id: null,
  receivedAt: null,
  area: areaOf,
  email: ({ email }) => [['Email', email]],
  unreadable: ({ unreadable }) => [['Unreadable', describeUnreadable(unreadable)]],
  consent: consentOf,
}

/** The facts of a lead and its person, for a table of two columns; times in UTC. */
export function leadFacts(lead: Lead | ErasedLead | UnreadableLead): readonly Fact[] {
  if ('erasedAt' in lead) return factsOf(lead, ofErasedLead)
  return 'unreadable' in lead ? factsOf(lead, ofUnreadableLead) : factsOf(lead, ofLead)
}

const factsOf = <Shown>(lead: Shown, of: Readonly<Record<string, Facts<Shown> | null>>) =>
  Object.values(of).flatMap((facts) => facts?.(lead) ?? [])

function areaOf({ area }: Pick<Lead, 'area'>): readonly Fact[] {
  return [['Area', area]]
}

function programOf({ program }: Pick<ErasedLead, 'program'>): readonly Fact[] {
  return [['Program', program === null ? unknown : `${program.id}  ${program.name}`]]
}

const unknown = 'could not be read when it was erased'

const erasedFor: Readonly<Record<ErasedBy, string>> = {
  request: 'the person’s data are gone',
  retention: 'the person’s answers are gone, as they were older than RETENTION_DAYS',
}

function consentOf({ consent }: { readonly consent: Consent | null }): readonly Fact[] {
  if (consent === null) return []
  const { at, pageUrl, ip, text } = consent
  return [
    ['Agreed', `${time(at)} at ${pageUrl}${ip === '' ? '' : ` from ${ip}`}`],
    ['', text],
  ]
}

function gpcOf({ gpc }: Pick<ErasedLead, 'gpc'>): readonly Fact[] {
  if (gpc === null) return [['GPC', unknown]]
  return [['GPC', gpc ? 'yes: the browser asked us not to sell the data' : 'no']]
}

const time = (at: number): string => new Date(at).toISOString()
