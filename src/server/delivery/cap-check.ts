import { startOfDay, toDay, toTimeRange } from '#domain/calendar.ts'
import { type Cap, type CapPeriod, describeMaxLeads, describeTimes } from '#domain/delivery/cap.ts'
import { day as oneDay } from '#domain/durations.ts'
import { endOfUnit, startOfUnit } from '#domain/measuring/periods.ts'

/** The values of a lead that decide which caps apply to the lead. */
export interface CappedLead {
  readonly program: number | null
  readonly affiliateId: string | null
  readonly state: string | null
}

/** Why a cap holds a lead, and until when (epoch milliseconds). */
export interface CapHold {
  readonly until: number
  readonly because: string
}

export interface ZonedTime {
  readonly now: number
  readonly zone: string
}

export const capAppliesToLead = (cap: Cap, lead: CappedLead): boolean =>
  (cap.program ?? lead.program) === lead.program &&
  (cap.affiliateId ?? lead.affiliateId) === lead.affiliateId &&
  (cap.state ?? lead.state) === lead.state

const toLocal = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** Finds the local day or month that contains `now`. A day on which clocks change has 23 or 25 hours. */
export function findCapPeriod(period: CapPeriod, { now, zone }: ZonedTime) {
  const first = startOfUnit(toDay(now, zone), period)
  return toTimeRange(first, endOfUnit(first, period), zone)
}

const untilCapChange = 'until an admin changes the cap'

/** Says until when a cap holds a lead, in the school's time zone, as in `until tomorrow` or `until December 1`. */
export function describeHoldEnd({ until, because }: CapHold, { now, zone }: ZonedTime): string {
  if (because.endsWith(untilCapChange)) return untilCapChange
  const ends = toDay(until, zone)
  const days = (ends - toDay(now, zone)) / oneDay
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).format(until)
  const day = days <= 0 ? '' : days === 1 ? 'tomorrow' : format({ month: 'long', day: 'numeric' })
  const isMidnight = until === startOfDay(ends, zone)
  const time = isMidnight && day !== '' ? '' : format({ timeStyle: 'short' })
  return `until ${[day, time].filter(Boolean).join(', ')}`
}

/** Makes the check whether a cap holds a lead. `used` is how many leads the cap has counted in its period. */
export function makeCapCheck(cap: Cap, moment: ZonedTime) {
  const holdOfAll = findDistributorCapHold(cap, moment) ?? findClosingHold(cap, moment)
  return {
    findHold: (lead: CappedLead, used: number): CapHold | undefined => {
      if (holdOfAll !== undefined) return holdOfAll
      if (lead.state !== null && cap.blockedStates.includes(lead.state)) {
        // Only an admin can end this hold, but workers check the lead again every day.
        const until = findCapPeriod('day', moment).until
        return {
          until,
          because: `leads from ${lead.state} are not sent ${untilCapChange}`,
        }
      }
      return cap.maxLeads !== null && used >= cap.maxLeads
        ? {
            until: findFullUntil(cap, moment),
            because: `the cap of ${describeMaxLeads(cap)} is reached`,
          }
        : undefined
    },
  }
}

/** Finds when a full cap lets leads go again: the first opening after its period. */
export function findFullUntil(cap: Cap, moment: ZonedTime): number {
  const { until } = findCapPeriod(cap.period, moment)
  return findClosingHold(cap, { ...moment, now: until })?.until ?? until
}

/** After the distributor reports that its own cap is reached, our cap holds all leads until the month ends. */
export function findDistributorCapHold(
  { fullSince }: Cap,
  { now, zone }: ZonedTime,
): CapHold | undefined {
  const until = fullSince === null ? now : findCapPeriod('month', { now: fullSince, zone }).until
  return until > now
    ? { until, because: 'the distributor’s monthly cap is reached, as the distributor answered' }
    : undefined
}

/** Outside of its hours and weekdays, and on its holidays, a cap holds all leads until its next opening. */
export function findClosingHold(cap: Cap, { now, zone }: ZonedTime): CapHold | undefined {
  const { weekdays, holidays } = cap
  const local = toLocal(now, zone)
  const today = local.toPlainDate()
  const minute = local.hour * 60 + local.minute
  const openings = listOpenings(cap)
  const isOpenOn = (date: Temporal.PlainDate) =>
    (weekdays.length === 0 || weekdays.includes(date.dayOfWeek)) && !holidays.includes(`${date}`)
  const isOpenAt = ([from, to]: Opening) => from <= minute && minute < to
  if (isOpenOn(today) && openings.some(isOpenAt)) return undefined
  let [date, next] = [today, openings.find(([from]) => from > minute)]
  while (next === undefined || !isOpenOn(date)) {
    date = date.add({ days: 1 })
    next = openings[0]
  }
  const until = startOfOpening(date, next, zone)
  const skipped = holidays.filter((day) => `${today}` <= day && day < `${date}`)
  const because =
    describeTimes(cap, []) === ''
      ? `leads are not sent on ${skipped.join(', ')}`
      : `leads are sent only ${describeTimes(cap, skipped)}`
  return {
    // In the night when clocks are set back, `until` may be in the past.
    until: Math.max(until, now + 60_000),
    because,
  }
}

/** A part of a day, in minutes after midnight. */
type Opening = readonly [from: number, to: number]

/** Hours that pass midnight are two parts of each day, so a day on which nothing is sent stays empty. */
function listOpenings({ opensAt, closesAt }: Cap): readonly Opening[] {
  if (opensAt === null || closesAt === null) return [[0, dayMinutes]]
  if (opensAt < closesAt) return [[opensAt, closesAt]]
  return closesAt === 0
    ? [[opensAt, dayMinutes]]
    : [
        [0, closesAt],
        [opensAt, dayMinutes],
      ]
}

const dayMinutes = 24 * 60

function startOfOpening(date: Temporal.PlainDate, [from]: Opening, timeZone: string): number {
  // A day may begin after midnight, where clocks are set forward at midnight.
  if (from === 0) return date.toZonedDateTime(timeZone).epochMilliseconds
  const plainTime = new Temporal.PlainTime(Math.floor(from / 60), from % 60)
  return date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}
