import { educationLevels } from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { type Attribution, openTouchParts, type Touch } from '#domain/lead/attribution.ts'
import {
  describeUnreadable,
  type ErasedLead,
  type Lead,
  type UnreadableLead,
} from '#domain/lead/lead.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { Timestamp } from '../shell/times.tsx'

type FactsOf<Shown> = (lead: Shown) => readonly Fact[]

/** The facts that the page shows for each field of a lead; null if the page shows the field elsewhere. */
const ofLead: Readonly<Record<keyof Lead, FactsOf<Lead> | null>> = {
  id: null,
  receivedAt: null,
  firstName: ({ firstName, lastName }) => [['Name', `${firstName} ${lastName}`]],
  lastName: null,
  phone: ({ phone }) => [['Phone', phone]],
  email: ({ email }) => [['Email', email]],
  street: ({ street, city, state, zip, zipPlus4, addressVerified }) => [
    ['Address', `${street}, ${city}, ${state} ${zipPlus4 ?? zip}`],
    [
      'Address check',
      addressVerified ? 'verified' : 'not verified: the visitor entered city and state',
    ],
  ],
  city: null,
  state: null,
  zip: null,
  zipPlus4: null,
  addressVerified: null,
  area: areaFacts,
  program: programFacts,
  educationLevel: ({ educationLevel: level, graduatingYear }) => [
    [
      'Education',
      `${educationLevels.find(({ id }) => id === level)?.name ?? `level ${level}`}, graduation year ${graduatingYear}`,
    ],
  ],
  graduatingYear: null,
  startDateId: ({ startDateId }) => [
    ['Start date', startDates.find(({ id }) => id === startDateId)?.name ?? startDateId],
  ],
  subId: ({ subId }) => [['Affiliate', subId ?? 'none']],
  attribution: ({ attribution }) => attributionFacts(attribution),
  gpc: null,
  openedAt: ({ openedAt }) =>
    openedAt === null
      ? []
      : [['Page opened', <Timestamp key="opened" at={openedAt} as="seconds" />]],
  consent: null,
}

/** The first and the last touch, as one fact if they are equal; empty for leads of releases that recorded no touch. */
function attributionFacts(attribution: Attribution | null): readonly Fact[] {
  if (attribution === null) return []
  const [first, last] = [attribution.first, attribution.last].map(describeTouch)
  if (first === last) return [['First and last touch', last]]
  return [
    ['First touch', first],
    ['Last touch', last],
  ]
}

const touchLabels = {
  utm_source: 'source',
  utm_medium: 'medium',
  utm_campaign: 'campaign',
  utm_term: 'term',
  utm_content: 'content',
  referrer: 'link on',
} as const satisfies Record<(typeof openTouchParts)[number], string>

/** Describes a touch without its click ids, as in `source google, campaign spring, link on www.google.com`. */
const describeTouch = (touch: Touch): string =>
  openTouchParts
    .flatMap((part) => {
      const value = touch[part]
      return value === undefined ? [] : [`${touchLabels[part]} ${escapeInvisible(value)}`]
    })
    .join(', ') || 'no campaign and no link from another site'

const ofErasedLead: Readonly<Record<keyof ErasedLead, FactsOf<ErasedLead> | null>> = {
  id: null,
  receivedAt: null,
  erasedAt: null,
  erasedBy: null,
  area: areaFacts,
  program: programFacts,
  gpc: null,
  consent: null,
}

const ofUnreadableLead: Readonly<Record<keyof UnreadableLead, FactsOf<UnreadableLead> | null>> = {
  id: null,
  receivedAt: null,
  email: ({ email }) => [['Email', email]],
  area: areaFacts,
  unreadable: ({ unreadable }) => [['Other fields', describeUnreadable(unreadable)]],
  consent: null,
}

/** Shows the visitor's answers, as far as they are kept and the operator may see them. */
export function LeadFacts({ lead }: { lead: Lead | ErasedLead | UnreadableLead }) {
  if ('erasedAt' in lead) return <Facts of={factsOf(lead, ofErasedLead)} />
  if ('unreadable' in lead) return <Facts of={factsOf(lead, ofUnreadableLead)} />
  return <Facts of={factsOf(lead, ofLead)} />
}

const factsOf = <Shown,>(lead: Shown, of: Readonly<Record<string, FactsOf<Shown> | null>>) =>
  Object.values(of).flatMap((facts) => facts?.(lead) ?? [])

function areaFacts({ area }: Pick<Lead, 'area'>): readonly Fact[] {
  return [['Area', area]]
}

function programFacts({ program }: Pick<ErasedLead, 'program'>): readonly Fact[] {
  const unknown = 'not known: the lead could not be read when it was erased'
  return [['Program', program === null ? unknown : `${program.name} (${program.id})`]]
}
