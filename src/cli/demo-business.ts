import { type Area, areas } from '#domain/area.ts'
import { findOfferedPrograms, type Program } from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { type StepNumber, steps } from '#domain/enquiry/steps.ts'
import type { Touch } from '#domain/lead/attribution.ts'
import type { Device, FunnelGroup } from '#domain/measuring/funnel.ts'
import type { VisitProgress } from '#domain/measuring/visit.ts'

/** Numbers from 0 up to 1 that look random and are the same in each run (mulberry32). */
export function makeRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** A whole number from `least` to `most`. */
    integer: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    pick: <Value>(values: readonly Value[]): Value =>
      values[Math.floor(next() * values.length)] as Value,
    happens: (chance: number) => next() < chance,
  }
}

export type Random = ReturnType<typeof makeRandom>

interface Channel {
  readonly weight: number
  /** The touch of a visit, without click ids. */
  readonly touch: Touch
  readonly clickId: 'gclid' | 'fbclid' | 'msclkid' | undefined
  /** The share of visits that send an enquiry, and of its leads that the distributor accepts. */
  readonly sends: number
  readonly accepted: number
}

const touchOf = (utm_source: string, utm_medium: string, utm_campaign: string): Touch => ({
  ...{ utm_source, utm_medium, utm_campaign },
})
const makeChannel = (
  touch: Touch,
  [weight, sends, accepted]: readonly [number, number, number],
  clickId?: Channel['clickId'],
): Channel => ({ touch, weight, sends, accepted, clickId })

const channels: readonly Channel[] = [
  makeChannel(touchOf('google', 'cpc', 'brand'), [14, 0.42, 0.93], 'gclid'),
  makeChannel(touchOf('google', 'cpc', 'nursing'), [9, 0.33, 0.91], 'gclid'),
  makeChannel(touchOf('google', 'cpc', 'mba'), [8, 0.27, 0.86], 'gclid'),
  makeChannel(touchOf('facebook', 'paid-social', 'lookalike'), [10, 0.16, 0.78], 'fbclid'),
  makeChannel(touchOf('facebook', 'paid-social', 'retargeting'), [4, 0.36, 0.9], 'fbclid'),
  makeChannel(touchOf('bing', 'cpc', 'brand'), [6, 0.38, 0.92], 'msclkid'),
  makeChannel(touchOf('newsletter', 'email', 'open-house'), [5, 0.5, 0.95]),
  makeChannel({ referrer: 'www.reddit.com' }, [5, 0.12, 0.84]),
  makeChannel({}, [7, 0.3, 0.9]),
]

const partnerWords = [
  ...['Career', 'Campus', 'Degree', 'Study', 'Learning', 'Future', 'Scholar', 'College'],
  ...['Path', 'Finder', 'Compass', 'Match', 'Guide'],
]

/** One of 40 affiliates. The one with the id `a13` sends visitors who don't exist. */
export interface DemoAffiliate {
  readonly name: string
  readonly affid: string
  readonly payoutCents: number
  readonly accepted: number
  readonly isBad: boolean
}

export const demoAffiliates: readonly DemoAffiliate[] = Array.from({ length: 40 }, (_, index) => ({
  name: `${partnerWords[index % 8]} ${partnerWords[8 + Math.floor(index / 8)]}`,
  affid: `a${index + 1}`,
  payoutCents: 1800 + (index % 9) * 250,
  accepted: index === 12 ? 0.41 : 0.8 + (index % 7) * 0.02,
  isBad: index === 12,
}))

const people = {
  firstName: ['Ada', 'Maria', 'James', 'Linh', 'Omar', 'Grace', 'Diego', 'Priya', 'Zoë', 'Tyrone'],
  lastName: ['Lovelace', 'Garcia', 'Smith', 'Nguyen', 'Haddad', 'Okafor', 'Ramos', 'Patel', 'Berg'],
  place: [
    ...['Sarasota FL 34236', 'Austin TX 78701', 'Denver CO 80202', 'Columbus OH 43215'],
    ...['Atlanta GA 30303', 'Fresno CA 93721', 'Phoenix AZ 85004', 'Seattle WA 98101'],
  ],
}

/** A visit, with the enquiry if it sends one. */
export interface DemoVisit {
  readonly at: number
  readonly group: FunnelGroup & { readonly device: Device }
  readonly progress: VisitProgress
  readonly touch: Touch
  readonly affiliate: DemoAffiliate | undefined
  /** The share of leads like this one that the distributor accepts. */
  readonly accepted: number
  readonly sends: boolean
  readonly program: Program
}

/** Draws a visit of a day. */
export function drawVisit(
  random: Random,
  { day, catalogue }: { readonly day: number; readonly catalogue: readonly Program[] },
): DemoVisit {
  // Affiliates bring three of ten visits, and the first affiliates the most.
  const affiliate = random.happens(0.3)
    ? demoAffiliates[Math.floor(random.next() ** 1.7 * demoAffiliates.length)]
    : undefined
  const channel = drawChannel(random)
  const clickId = () => random.integer(0, 2 ** 48).toString(36)
  const touch = affiliate
    ? { ...(random.happens(0.5) ? { utm_source: affiliate.name } : {}), click_id: clickId() }
    : { ...channel.touch, ...(channel.clickId && { [channel.clickId]: clickId() }) }
  const area: Area = random.pick(areas)
  const device: Device = random.happens(0.58)
    ? 'phone'
    : random.happens(0.12)
      ? 'tablet'
      : 'desktop'
  const sends = random.happens(affiliate ? 0.3 : channel.sends * (device === 'phone' ? 0.9 : 1.1))
  const program = random.pick(findOfferedPrograms(catalogue, area))
  const step = (sends ? 4 : Math.min(3, Math.floor(random.next() ** 2 * 4.6))) as StepNumber
  const isStarted = step > 0 || random.happens(0.25)
  const field = random.pick(steps[step]?.fields ?? [])
  const minutes = [0.6, 1.1, 0.5, 0.7]
  const progress = {
    ...{ openMs: random.integer(20_000, 600_000), isStarted, step, ...(field && { field }) },
    shown: [0, 1, 2, 3, 4].map((index) => (index > step ? 0 : random.happens(0.08) ? 2 : 1)),
    visibleMs: minutes.map((mean, index) =>
      index > step ? 0 : Math.round(mean * 60_000 * (0.3 + 2 * random.next() ** 2)),
    ),
    refused:
      step > 0 && random.happens(0.15)
        ? [random.pick(['zip not-found', 'phone format', 'email format'])]
        : [],
    vitals: {
      lcp: random.integer(600, device === 'phone' ? 3200 : 1600),
      inp: random.integer(20, 240),
      cls: random.integer(0, 90),
    },
  }
  const origin = {
    source: touch.utm_source ?? touch.referrer ?? null,
    campaign: touch.utm_campaign ?? null,
    affiliate: affiliate?.affid ?? null,
  }
  return {
    // Most people come in the afternoon and evening in the USA.
    at: day + Math.floor(((13 + 14 * ((random.next() + random.next()) / 2)) % 24) * 3_600_000),
    group: { area, ...origin, device, program: step > 2 ? program.id : null },
    progress,
    ...{ touch, affiliate, sends, program, accepted: affiliate?.accepted ?? channel.accepted },
  }
}

const totalWeight = channels.reduce((sum, { weight }) => sum + weight, 0)

function drawChannel(random: Random): Channel {
  let left = random.next() * totalWeight
  return channels.find(({ weight }) => {
    left -= weight
    return left < 0
  }) as Channel
}

/** Draws the answers of one person; no two people have the same email address. */
export function drawAnswers(random: Random, number: number, { program }: DemoVisit) {
  const [city = '', state = '', zip = ''] = random.pick(people.place).split(' ')
  const [firstName, lastName] = [random.pick(people.firstName), random.pick(people.lastName)]
  const name = firstName.normalize('NFD').replace(/\W/g, '').toLowerCase()
  return {
    ...{ firstName, lastName, city, state, zip },
    phone: `(${random.integer(201, 989)}) 555-${String(number % 10_000).padStart(4, '0')}`,
    email: `${name}.${number}@example.com`,
    address: `${random.integer(1, 999)} ${random.pick(['Palm', 'Oak', 'Main', 'Lake'])} Street`,
    previousEducation: '790',
    graduatingYear: String(random.integer(1995, 2024)),
    desiredProgram: String(program.id),
    startDate: random.pick(startDates).id,
    confirmation: 'on',
  }
}
