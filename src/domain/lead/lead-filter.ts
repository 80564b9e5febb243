import { type Signal, signals } from '#domain/abuse/signals.ts'
import { type Area, areas } from '#domain/area.ts'
import { dayBegins, dayEnds, notADay } from '#domain/day-range.ts'
import { type LeadStatus, leadStatuses } from './lead-status.ts'

/** For a lead restored from a backup: it may have been delivered since, and its delivery is still open. */
const restoredStandings = ['in-doubt'] as const

export type RestoredStanding = (typeof restoredStandings)[number]

/** Selects leads: a lead matches if it has one of the values of every part that is set. */
export interface LeadFilter {
  readonly status: readonly LeadStatus[]
  readonly area: readonly Area[]
  /** Programs' ids. */
  readonly program: readonly number[]
  /** The campaign parameters of the visit. */
  readonly affiliate: readonly string[]
  /** Two letters. */
  readonly state: readonly string[]
  readonly signal: readonly Signal[]
  /** How the last attempt failed: see `errorKey`. */
  readonly error: readonly string[]
  /** Whether the address was found; neither where an erased lead's is not known. */
  readonly verified: readonly boolean[]
  readonly attempts: readonly AttemptsBand[]
  readonly restored: readonly RestoredStanding[]
  /** Epoch milliseconds: received then or later, and before then. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export const everyLead: LeadFilter = {
  status: [],
  area: [],
  program: [],
  affiliate: [],
  state: [],
  signal: [],
  error: [],
  verified: [],
  attempts: [],
  restored: [],
  since: undefined,
  until: undefined,
}

interface Band {
  /** Both included. */
  readonly from: number
  readonly to: number
  readonly inWords: string
}

/** The number of attempts, in ranges that are useful to an operator: as in an address, `attempts=5-19`. */
export const attemptsBands = {
  '0': { from: 0, to: 0, inWords: 'not yet' },
  '1': { from: 1, to: 1, inWords: 'once' },
  '2-4': { from: 2, to: 4, inWords: '2 to 4 times' },
  '5-19': { from: 5, to: 19, inWords: '5 to 19 times' },
  '20-': { from: 20, to: Number.MAX_SAFE_INTEGER, inWords: '20 times or more' },
} as const satisfies Readonly<Record<string, Band>>

export type AttemptsBand = keyof typeof attemptsBands

export const attemptsBandNames = Object.keys(attemptsBands) as readonly AttemptsBand[]

/** The spelling in an address and in a form: INTERFACE, `/leads`. */
export const filterNames = [
  'status',
  'area',
  'program',
  'affiliate',
  'state',
  'from',
  'to',
  'signal',
  'error',
  'verified',
  'attempts',
  'restored',
] as const

export type FilterName = (typeof filterNames)[number]

/** The values given under each name, in their order. */
export type RawFilter = Readonly<Record<FilterName, readonly string[]>>

export interface ReadFilter {
  readonly filter: LeadFilter
  readonly given: RawFilter
  /** The faults of the filter, each at its place. With one of them nothing is to be done by the filter. */
  readonly faults: Readonly<Partial<Record<FilterName, string>>>
}

/** No stored value is longer. */
const maxValueLength = 200

/** Each value is work for the store: INTERFACE, `/leads`. */
const maxValues = 20
/** In all filters together. */
const maxInAll = 60

/** @param valuesOf the values given under a name; empty ones are ignored */
export function readLeadFilter(valuesOf: (name: FilterName) => readonly string[]): ReadFilter {
  const given = Object.fromEntries(
    filterNames.map((name) => [name, [...new Set(valuesOf(name).map(trim).filter(isYes))]]),
  ) as unknown as RawFilter
  const faults: Partial<Record<FilterName, string>> = {}
  const check = <Value>(
    name: FilterName,
    read: (text: string) => Value | undefined,
    fault: (text: string) => string,
  ): Value[] =>
    given[name].flatMap((text) => {
      const value = text.length > maxValueLength ? undefined : read(text)
      if (value === undefined) faults[name] ??= fault(text.slice(0, maxValueLength))
      return value === undefined ? [] : [value]
    })
  let inAll = 0
  for (const name of filterNames) {
    const { length } = given[name]
    inAll += length
    if (length > maxValues) {
      faults[name] = `Use at most ${maxValues} values here: there are ${length}.`
    } else if (length > 0 && inAll > maxInAll) {
      faults[name] ??= `Use at most ${maxInAll} values in all filters together.`
    }
  }
  const since = check('from', dayBegins, notADay)
  const until = check('to', dayEnds, notADay)
  const filter: LeadFilter = {
    status: check(
      'status',
      oneOf<LeadStatus>(leadStatuses),
      (text) => `There is no status “${text}”.`,
    ),
    area: check('area', oneOf<Area>(areas), (text) => `There is no area “${text}”.`),
    program: check('program', readId, (text) => `“${text}” is not a program’s number.`),
    affiliate: check('affiliate', asIs, () => 'An affiliate’s id is shorter.'),
    state: check(
      'state',
      readState,
      (text) => `A state has two letters, such as FL: not “${text}”.`,
    ),
    signal: check('signal', oneOf<Signal>(signals), (text) => `There is no signal “${text}”.`),
    error: check('error', asIs, () => 'An error is shorter.'),
    verified: check(
      'verified',
      readYesOrNo,
      (text) => `An address is verified or not, yes or no: not “${text}”.`,
    ),
    attempts: check(
      'attempts',
      oneOf<AttemptsBand>(attemptsBandNames),
      (text) => `Attempts are ${attemptsBandNames.join(', ')}: not “${text}”.`,
    ),
    restored: check(
      'restored',
      oneOf<RestoredStanding>(restoredStandings),
      (text) => `A restored lead is in-doubt: not “${text}”.`,
    ),
    since: since.length > 0 ? Math.min(...since) : everyLead.since,
    until: until.length > 0 ? Math.max(...until) : everyLead.until,
  }
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'This is before the first day, so no lead can match.'
  }
  return { filter, given, faults }
}

/** The part of an address that says the same, without a question mark; the same for the same filter. */
export const filterQuery = (given: RawFilter): string =>
  filterNames
    .flatMap((name) =>
      [...new Set(given[name])].sort().map((value) => `${name}=${encodeURIComponent(value)}`),
    )
    .join('&')

/** PostgreSQL has no text with U+0000 in it. */
const trim = (text: string): string => text.replaceAll('\0', '').trim()
const isYes = (text: string): boolean => text !== ''
const asIs = (text: string): string => text

const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

const readId = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined

const readYesOrNo = (text: string): boolean | undefined =>
  text === 'yes' ? true : text === 'no' ? false : undefined

const readState = (text: string): string | undefined =>
  /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined
