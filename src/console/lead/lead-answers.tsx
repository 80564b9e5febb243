import { type DescriptionItem, DescriptionList } from '#console/shell/description-list.tsx'
import { TextWithLinks } from '#console/shell/message.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { educationLevels } from '#domain/catalogue/catalogue.ts'
import { answerDefinitions } from '#domain/enquiry/answers.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import {
  type Attribution,
  clickIdParams,
  findNamedSource,
  partsWithoutClickIds,
  type Touch,
} from '#domain/lead/attribution.ts'
import {
  type Consent,
  describeUnreadable,
  type ErasedLead,
  type Lead,
  type UnreadableLead,
} from '#domain/lead/lead.ts'
import { type StoredName, storedNames } from '#domain/lead/stored-answers.ts'
import type { VisibleLeadDetails } from '#server/leads/view-lead.ts'
import styles from './lead-page.module.css'

/** The answers with a line of their own wording in {@link listLead}. */
const described: ReadonlySet<string> = new Set<StoredName>([
  ...(['firstName', 'lastName', 'phone', 'email', 'address', 'city', 'state', 'zip'] as const),
  ...(['program', 'educationLevel', 'graduatingYear', 'startDate'] as const),
])

const findOption = <Id,>(options: readonly { id: Id; name: string }[], wanted: unknown) =>
  options.find(({ id }) => id === wanted)?.name

function listLead(lead: Lead): readonly DescriptionItem[] {
  const { address, city, state, zip, zipPlus4, addressVerified, startDate } = lead
  const level = findOption(educationLevels, lead.educationLevel) ?? `level ${lead.educationLevel}`
  return [
    ['Name', `${lead.firstName} ${lead.lastName}`],
    ['Phone', lead.phone],
    ['Email', lead.email],
    ['Address', `${address}, ${city}, ${state} ${zipPlus4 ?? zip}`],
    [
      'Address check',
      addressVerified ? 'verified' : 'not verified: no address check confirmed the street',
    ],
    ['Area', lead.area],
    describeProgram(lead.program),
    ['Education', `${level}, graduation year ${lead.graduatingYear}`],
    ['Start date', findOption(startDates, startDate) ?? startDate],
    ...storedNames.filter((name) => !described.has(name)).flatMap((name) => listAnswer(lead, name)),
    ['Affiliate', lead.subId ?? 'none'],
    ...(lead.attribution === null ? [] : listTouches(lead.attribution)),
    ...(lead.openedAt === null
      ? []
      : [['Page opened', <Timestamp key="opened" at={lead.openedAt} format="seconds" />] as const]),
  ]
}

/** Describes an answer by the form's label; an answer that the visitor was not asked for is left out. */
function listAnswer(lead: Lead, name: StoredName): readonly DescriptionItem[] {
  const value: unknown = lead[name]
  if (value === null || name === 'program') return []
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
  return [[answerDefinitions[name].label, text]]
}

function listTouches(attribution: Attribution): readonly DescriptionItem[] {
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
} as const satisfies Record<(typeof partsWithoutClickIds)[number], string>

/** Describes a touch without its click ids, as in `source google, campaign spring, link on www.google.com`. */
const describeTouch = (touch: Touch): string =>
  partsWithoutClickIds
    .flatMap((part) => {
      // A click id names its platform, also to viewers, who don't see the id.
      const value = part === 'utm_source' ? findNamedSource(touch) : touch[part]
      return value === undefined ? [] : [`${touchLabels[part]} ${value}`]
    })
    .join(', ') || 'no campaign and no link from another site'

const describeProgram = (program: ErasedLead['program']): DescriptionItem => [
  'Program',
  program === null
    ? 'not known: the lead could not be read when it was erased'
    : `${program.name} (${program.id})`,
]

function listAnswers(lead: Lead | ErasedLead | UnreadableLead): readonly DescriptionItem[] {
  if ('erasedAt' in lead) return [['Area', lead.area], describeProgram(lead.program)]
  if ('unreadable' in lead) {
    return [
      ['Email', lead.email],
      ['Area', lead.area],
      ['Other fields', <TextWithLinks key="why" text={describeUnreadable(lead.unreadable)} />],
    ]
  }
  return listLead(lead)
}

/** Shows those answers of the visitor that are stored and that the operator may see. */
export const LeadAnswers = ({ lead }: Pick<VisibleLeadDetails, 'lead'>) => (
  <DescriptionList items={listAnswers(lead)} />
)

export function ConsentProof({ consent }: { consent: Consent | null }) {
  if (consent === null) return <p>The proof of consent was erased after its retention period.</p>
  return (
    <>
      <p className={styles.quote}>{consent.text}</p>
      <DescriptionList items={[['Agreed', <Timestamp key="at" at={consent.at} />]]} />
    </>
  )
}

/** Shows the rest of the proof of consent, the visitor's Global Privacy Control and the click ids. */
export const TechnicalDetails = ({ lead }: Pick<VisibleLeadDetails, 'lead'>) => (
  <DescriptionList
    items={[
      ['Id', <code key="id">{lead.id}</code>],
      ...(lead.consent ? listConsentDetails(lead.consent) : []),
      'gpc' in lead && ['Global Privacy Control', describeGpc(lead.gpc)],
      ...('attribution' in lead && lead.attribution ? listClickIds(lead.attribution) : []),
    ]}
  />
)

const listConsentDetails = (consent: Consent): readonly DescriptionItem[] => [
  ['Page', consent.pageUrl],
  ['IP address', consent.ip || 'erased'],
  ['Browser', consent.userAgent || 'not kept'],
  ['SHA-256 of the consent text', <code key="hash">{consent.textHash}</code>],
]

const listClickIds = ({ first, last }: Attribution): readonly DescriptionItem[] =>
  clickIdParams.flatMap((param) => {
    const ids = [...new Set([first[param], last[param]])].filter((id) => id !== undefined)
    return ids.map((id): DescriptionItem => [`Click id ${param}`, <code key={id}>{id}</code>])
  })

function describeGpc(gpc: boolean | null): string {
  if (gpc === null) return 'not known: the lead could not be read when it was erased'
  return gpc ? 'on: the visitor asked not to sell or share their data' : 'off'
}
