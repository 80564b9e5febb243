import { pluralize } from '#domain/text/formats.ts'
import { formatDay, parseTypedDay } from '../calendar.ts'
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
  /** The weekdays on which we send leads, from 1 for Monday to 7 for Sunday, in this order; empty for every day. */
  readonly weekdays: readonly number[]
  /** The days on which we send no leads, such as `2026-12-25`, in the school's time zone and in order. */
  readonly holidays: readonly string[]
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
  weekdays: [],
  holidays: [],
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
  'weekdays',
  'holidays',
  'blockedStates',
  'followsDistributor',
] as const

export type CapFormValues = Readonly<Record<(typeof capFields)[number], string>>

const maxLeadsPerPeriod = 1_000_000
const maxHolidays = 100

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
  const days = parseDays(texts.holidays)
  const timeFault = 'Enter a time of day, such as 08:00.'
  const cap: Cap = {
    program: read('program', parseProgram, 'Choose a program from the list.'),
    affiliateId: texts.affiliate.trim() || null,
    state: read('state', findStateCode, 'Enter one state, such as TX.'),
    maxLeads: read('maxLeads', parseMaxLeads, 'Enter a whole number from 0 to 1,000,000.'),
    period: texts.period === 'month' ? 'month' : 'day',
    opensAt: read('opensAt', parseTime, timeFault),
    closesAt: read('closesAt', parseTime, timeFault),
    weekdays: read('weekdays', parseWeekdays, 'Enter weekdays, such as Mon–Fri, Sun.') ?? [],
    holidays: days.found,
    blockedStates: read('blockedStates', parseStates, 'Enter states, such as CA, TX.') ?? [],
    followsDistributor: texts.followsDistributor !== '',
    fullSince: null,
  }
  const { opensAt, closesAt, holidays } = cap
  if (days.wrong !== undefined) {
    faults.holidays = `“${days.wrong.slice(0, 40)}” is not a day: write 2026-12-25 or 12/25/2026.`
  }
  if (holidays.length > maxHolidays) faults.holidays = `Enter at most ${maxHolidays} days.`
  if (!capPeriods.some((period) => period === texts.period)) faults.period = 'Choose day or month.'
  if (opensAt === null && closesAt !== null) faults.opensAt ??= 'Enter when sending begins, too.'
  if (opensAt !== null && closesAt === null) faults.closesAt ??= 'Enter when sending ends, too.'
  if (opensAt !== null && opensAt === closesAt) {
    faults.closesAt ??= 'Enter another time than the beginning. For all day, leave both empty.'
  }
  if (Object.keys(faults).length === 0 && describeLimits(cap) === '') {
    faults.maxLeads =
      'Enter a number of leads, hours, weekdays, days, states, or follow the distributor.'
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
  const codes = splitList(text).map(findStateCode)
  const known = codes.filter((code) => code !== undefined)
  return known.length === codes.length ? [...new Set(known)].sort() : undefined
}

/** Parses days that commas, semicolons, lines or spaces separate. @returns the days, and the first text that is none */
function parseDays(text: string) {
  const values = text.split(/[,;\r\n]/).flatMap((value) => {
    const parts = value.split(/\s/).filter(Boolean)
    // A text such as `December 25` is one wrong value.
    return parts.some((part) => parseTypedDay(part) !== undefined) ? parts : parts.join(' ') || []
  })
  const found = values.map(parseTypedDay).filter((day) => day !== undefined)
  return {
    found: [...new Set(found)].sort((one, other) => one - other).map(formatDay),
    wrong: values.find((value) => parseTypedDay(value) === undefined),
  }
}

/** Splits a typed list at commas, semicolons and spaces. Leaves out repetitions. */
const splitList = (text: string): string[] => [...new Set(text.split(/[,;\s]+/).filter(Boolean))]

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Parses weekdays and ranges, such as `Mon–Fri, sunday`. All seven weekdays are no limit, so the list is empty. */
function parseWeekdays(text: string): readonly number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(/[,;]/).filter((one) => one.trim() !== '')) {
    const ends = part.split(/[-–]/).map((name) => findWeekday(name.trim().toLowerCase()))
    const [first = 0, last = first] = ends
    if (ends.length > 2 || ends.includes(0)) return undefined
    for (let step = 0; step <= (last - first + 7) % 7; step++)
      found.add(((first + step - 1) % 7) + 1)
  }
  return found.size === 7 ? [] : [...found].sort()
}

/** Finds a weekday by at least the first two letters of its name. @returns from 1 for Monday; 0 for any other text */
const findWeekday = (text: string): number =>
  text.length < 2 ? 0 : weekdayNames.findIndex((name) => name.toLowerCase().startsWith(text)) + 1

/** Lists weekdays, as in `Mon–Fri, Sun`. */
export function formatWeekdays(weekdays: readonly number[]): string {
  const runs = weekdays.filter((one) => !weekdays.includes(one - 1))
  const nameOf = (one: number) => weekdayNames[one - 1]?.slice(0, 3) ?? ''
  return runs
    .map((first) => {
      const last = weekdays.find((one) => one >= first && !weekdays.includes(one + 1)) ?? first
      const names = [first, last].map(nameOf)
      return first === last ? names[0] : names.join(last === first + 1 ? ', ' : '–')
    })
    .join(', ')
}

/** @param minutes after midnight; null gives an empty text */
export const formatTimeOfDay = (minutes: number | null): string =>
  minutes === null ? '' : new Date(minutes * minute).toISOString().slice(11, 16)

export const describeMaxLeads = ({ maxLeads, period }: Pick<Cap, 'maxLeads' | 'period'>): string =>
  `${pluralize(maxLeads ?? 0, 'lead')} a ${period}`

/**
 * Says when a cap lets leads go, as in `on Mon–Fri, from 08:00 to 18:00, not on 2026-12-25`; an empty text if always.
 * @param holidays the listed days to name
 */
export const describeTimes = (
  cap: Pick<Cap, 'opensAt' | 'closesAt' | 'weekdays'>,
  holidays: readonly string[],
): string =>
  [
    cap.weekdays.length > 0 && `on ${formatWeekdays(cap.weekdays)}`,
    cap.opensAt !== null &&
      `from ${formatTimeOfDay(cap.opensAt)} to ${formatTimeOfDay(cap.closesAt)}`,
    holidays.length > 0 && `not on ${holidays.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')

/** Says what a cap limits, such as `100 leads a day, from 08:00 to 18:00, not in CA`. */
export const describeLimits = (cap: Cap): string =>
  [
    cap.maxLeads !== null && describeMaxLeads(cap),
    describeTimes(cap, cap.holidays),
    cap.blockedStates.length > 0 && `not in ${cap.blockedStates.join(', ')}`,
    cap.followsDistributor && 'the distributor’s monthly cap',
  ]
    .filter(Boolean)
    .join(', ')

/** Says what the deletion of caps does to the leads that they hold. */
export const describeRelease = (held: number): string =>
  held === 0
    ? 'No lead is held.'
    : `${pluralize(held, 'held lead')} will be sent now, unless another cap holds them, or deliveries are paused or stopped.`

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
  'on these weekdays': formatWeekdays(cap.weekdays),
  'not on these days': cap.holidays.join(', '),
  'not in these states': cap.blockedStates.join(', '),
  'follows the distributor': cap.followsDistributor ? 'yes' : '',
  'full since': cap.fullSince === null ? '' : new Date(cap.fullSince).toISOString(),
})
