import { pluralize } from '#domain/text/formats.ts'
import { minute } from '../durations.ts'
import { findStateCode } from '../enquiry/state-code.ts'

export const capPeriods = ['day', 'month'] as const

export type CapPeriod = (typeof capPeriods)[number]

/** A limit on the leads that we send. A cap applies to a program, an affiliate and a state; null stands for any. */
export interface Cap {
  readonly program: number | null
  /** The affiliate's id in the store, not an affiliate id from a link. */
  readonly affiliateId: string | null
  readonly state: string | null
  /** The maximum number of leads per period; null for no limit. */
  readonly maxLeads: number | null
  readonly period: CapPeriod
  /** When sending begins and ends, in minutes after midnight in the school's time zone; null to send all day. */
  readonly opensAt: number | null
  readonly closesAt: number | null
  /** The states whose leads we don't send, by their two letters. */
  readonly blockedStates: readonly string[]
  /** True if the cap holds leads for the rest of the month once the distributor says that its own cap is reached. */
  readonly followsDistributor: boolean
  /** When the distributor said that its own cap is reached, in epoch milliseconds. */
  readonly fullSince: number | null
}

/** A cap that limits nothing and applies to all leads. */
export const emptyCap: Cap = {
  program: null,
  affiliateId: null,
  state: null,
  maxLeads: null,
  period: 'day',
  opensAt: null,
  closesAt: null,
  blockedStates: [],
  followsDistributor: false,
  fullSince: null,
}

export const capFields = [
  'program',
  'affiliate',
  'state',
  'maxLeads',
  'period',
  'opensAt',
  'closesAt',
  'blockedStates',
  'followsDistributor',
] as const

/** The texts in the fields of the cap form. */
export type CapFormValues = Readonly<Record<(typeof capFields)[number], string>>

const maxLeadsPerPeriod = 1_000_000

/**
 * Parses the cap form.
 * @param programs the ids of the programs to choose from
 */
export function parseCapForm(
  texts: CapFormValues,
  programs: readonly (number | null | undefined)[],
) {
  const faults: Partial<Record<keyof CapFormValues, string>> = {}
  const read = <Value>(
    name: keyof CapFormValues,
    parse: (text: string) => Value | undefined,
    fault: string,
  ): Value | null => {
    const text = texts[name].trim()
    const value = text === '' ? null : parse(text)
    if (value === undefined) faults[name] = fault
    return value ?? null
  }
  const parseProgram = (text: string) => programs.find((id) => `${id}` === text)
  const timeFault = 'Enter a time of day, such as 08:00.'
  const cap: Cap = {
    program: read('program', parseProgram, 'Choose a program from the list.'),
    affiliateId: texts.affiliate.trim() || null,
    state: read('state', findStateCode, 'Enter one state, such as TX.'),
    maxLeads: read('maxLeads', parseMaxLeads, 'Enter a whole number from 0 to 1,000,000.'),
    period: texts.period === 'month' ? 'month' : 'day',
    opensAt: read('opensAt', parseTime, timeFault),
    closesAt: read('closesAt', parseTime, timeFault),
    blockedStates: read('blockedStates', parseStates, 'Enter states, such as CA, TX.') ?? [],
    followsDistributor: texts.followsDistributor !== '',
    fullSince: null,
  }
  const { opensAt, closesAt } = cap
  if (!capPeriods.some((period) => period === texts.period)) faults.period = 'Choose day or month.'
  if (opensAt === null && closesAt !== null) faults.opensAt ??= 'Enter when sending begins, too.'
  if (opensAt !== null && closesAt === null) faults.closesAt ??= 'Enter when sending ends, too.'
  if (opensAt !== null && opensAt === closesAt) {
    faults.closesAt ??= 'Enter another time than the beginning. For all day, leave both empty.'
  }
  if (Object.keys(faults).length === 0 && describeLimits(cap) === '') {
    faults.maxLeads = 'Enter a number of leads, hours, states, or follow the distributor.'
  }
  return { cap, faults }
}

const parseMaxLeads = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) <= maxLeadsPerPeriod ? Number(text) : undefined

/** Converts a time such as `08:30` to the minutes after midnight. */
function parseTime(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

function parseStates(text: string): readonly string[] | undefined {
  const codes = text
    .split(/[,;\s]+/)
    .filter(Boolean)
    .map(findStateCode)
  const known = codes.filter((code) => code !== undefined)
  return known.length === codes.length ? [...new Set(known)].sort() : undefined
}

/** @param minutes after midnight; null gives an empty text */
export const formatTimeOfDay = (minutes: number | null): string =>
  minutes === null ? '' : new Date(minutes * minute).toISOString().slice(11, 16)

export const describeMaxLeads = ({ maxLeads, period }: Pick<Cap, 'maxLeads' | 'period'>): string =>
  `${pluralize(maxLeads ?? 0, 'lead')} a ${period}`

export const describeHours = ({ opensAt, closesAt }: Pick<Cap, 'opensAt' | 'closesAt'>): string =>
  `from ${formatTimeOfDay(opensAt)} to ${formatTimeOfDay(closesAt)}`

/** Says what a cap limits, such as `100 leads a day, from 08:00 to 18:00, not in CA`. */
export const describeLimits = (cap: Cap): string =>
  [
    cap.maxLeads !== null && describeMaxLeads(cap),
    cap.opensAt !== null && describeHours(cap),
    cap.blockedStates.length > 0 && `not in ${cap.blockedStates.join(', ')}`,
    cap.followsDistributor && 'the distributor’s monthly cap',
  ]
    .filter(Boolean)
    .join(', ')

/** What the deletion of caps does to the leads that they hold. */
export interface CapRelease {
  /** The leads that the workers send. */
  readonly released: number
  /** The leads that another cap holds instead. */
  readonly stillHeld: number
  /** False if the caps hold more leads than were counted. */
  readonly isAll: boolean
}

/** Says what the deletion of caps does, as in `12 held leads will be sent now, unless … 3 leads stay held by another cap.` */
export const describeRelease = ({ released, stillHeld, isAll }: CapRelease): string =>
  [
    released + stillHeld === 0
      ? 'No lead is held.'
      : `${isAll ? '' : 'At least '}${pluralize(released, 'held lead')} will be sent now, unless deliveries are paused or stopped.`,
    stillHeld > 0 && `${pluralize(stillHeld, 'lead stays', 'leads stay')} held by another cap.`,
  ]
    .filter(Boolean)
    .join(' ')

export interface ScopedCap extends Cap {
  /** The affiliate's name. */
  readonly affiliate: string | null
}

/** Says which leads a cap applies to. @param programs the catalogue, for the program's name */
export function describeScope(
  { program, affiliateId, affiliate, state }: ScopedCap,
  programs: readonly { readonly id: number; readonly name: string }[] = [],
): string {
  const scopes = [
    program !== null && (programs.find(({ id }) => id === program)?.name ?? `program ${program}`),
    affiliateId !== null && `affiliate ${affiliate ?? affiliateId}`,
    state,
  ].filter(Boolean)
  return scopes.length === 0 ? 'all leads' : scopes.join(', ')
}

/** Returns a cap's values for the audit log, by the names of the form's fields. */
export const toAuditedCap = (cap: ScopedCap): Readonly<Record<string, string>> => ({
  program: `${cap.program ?? ''}`,
  affiliate: cap.affiliate ?? cap.affiliateId ?? '',
  state: cap.state ?? '',
  'leads at most': `${cap.maxLeads ?? ''}`,
  per: cap.period,
  from: formatTimeOfDay(cap.opensAt),
  to: formatTimeOfDay(cap.closesAt),
  'not in these states': cap.blockedStates.join(', '),
  'follows the distributor': cap.followsDistributor ? 'yes' : '',
  'full since': cap.fullSince === null ? '' : new Date(cap.fullSince).toISOString(),
})
