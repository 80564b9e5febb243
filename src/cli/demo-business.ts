import { areas } from '#domain/area.ts'
import { findOfferedPrograms, type Program } from '#domain/catalogue/catalogue.ts'
import type { StepNumber } from '#domain/enquiry/enquiry.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { steps } from '#domain/enquiry/steps.ts'

/** Numbers that look random and are the same in each run (Park and Miller's generator). */
export function makeRandom(seed: number) {
  let state = seed
  /** A number between 0 and 1. */
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
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

/** A source of visits: how many of 100 visits it sends, the share that enquires, and the share of these that is accepted. */
type Campaign = readonly [
  visits: number,
  sends: number,
  accepted: number,
  touch: readonly (readonly [name: string, value: string])[],
  clickId?: 'gclid' | 'fbclid' | 'msclkid',
]

const utm = (source: string, medium: string, campaign: string) =>
  [
    ['utm_source', source],
    ['utm_medium', medium],
    ['utm_campaign', campaign],
  ] as const

const campaigns: readonly Campaign[] = [
  [14, 0.42, 0.93, utm('google', 'cpc', 'brand'), 'gclid'],
  [9, 0.33, 0.91, utm('google', 'cpc', 'nursing'), 'gclid'],
  [8, 0.27, 0.86, utm('google', 'cpc', 'mba'), 'gclid'],
  [10, 0.16, 0.78, utm('facebook', 'paid-social', 'lookalike'), 'fbclid'],
  [4, 0.36, 0.9, utm('facebook', 'paid-social', 'retargeting'), 'fbclid'],
  [6, 0.38, 0.92, utm('bing', 'cpc', 'brand'), 'msclkid'],
  [5, 0.5, 0.95, utm('newsletter', 'email', 'open-house')],
  [5, 0.12, 0.84, [['referrer', 'www.reddit.com']]],
  [8, 0.3, 0.9, []],
]

const words = ['Career', 'Campus', 'Degree', 'Study', 'Learning', 'Future', 'Scholar', 'College']
const moreWords = ['Path', 'Finder', 'Compass', 'Match', 'Guide']

/** 40 affiliates. The one with the id `a13` sends visitors who don't exist. */
export const demoAffiliates = Array.from({ length: 40 }, (_, index) => ({
  name: `${words[index % 8]} ${moreWords[Math.floor(index / 8)]}`,
  affid: `a${index + 1}`,
  payoutCents: 1800 + (index % 9) * 250,
  isBad: index === 12,
}))

const origins = [
  ...campaigns.map(([visits, sends, accepted, touch, clickId]) => ({
    ...{ visits, sends, accepted, touch, clickId, affiliate: undefined },
  })),
  ...demoAffiliates.map((affiliate, index) => ({
    ...{ visits: 17 / (index + 8), sends: 0.3, touch: [], clickId: 'click_id', affiliate },
    accepted: affiliate.isBad ? 0.41 : 0.8 + (index % 7) * 0.02,
  })),
]

export type DemoVisit = ReturnType<typeof drawVisit>

/** Draws one visit of a day, and whether the visitor sends an enquiry. */
export function drawVisit(random: Random, day: number, catalogue: readonly Program[]) {
  const { affiliate, accepted, ...origin } = drawOrigin(random)
  const area = random.pick(areas)
  const device = random.pick(['phone', 'phone', 'phone', 'tablet', 'desktop', 'desktop'] as const)
  const program = random.pick(findOfferedPrograms(catalogue, area))
  const sends = random.happens(origin.sends * (device === 'phone' ? 0.9 : 1.1))
  const step = (sends ? 4 : Math.min(3, Math.floor(random.next() ** 2 * 4.6))) as StepNumber
  const touch: Readonly<Record<string, string>> = Object.fromEntries([
    ...origin.touch,
    ...(origin.clickId ? [[origin.clickId, random.integer(0, 2 ** 31).toString(36)]] : []),
  ])
  const [weekday, slow] = [new Date(day).getUTCDay(), device === 'phone' ? 2 : 1]
  const field = random.pick(steps[step]?.fields ?? [])
  const upToStep = (draw: () => number) => [0, 1, 2, 3].map((n) => (n > step ? 0 : draw()))
  return {
    // Most people come in the afternoon and evening in the USA, and fewer on weekends.
    at: day + Math.floor(((13 + 7 * (random.next() + random.next())) % 24) * 3_600_000),
    isSkipped: weekday % 6 === 0 && random.happens(0.4),
    ...{ touch, affiliate, accepted, sends, program },
    group: {
      ...{ area, device, program: step > 2 ? program.id : null },
      source: touch.utm_source ?? touch.referrer ?? null,
      campaign: touch.utm_campaign ?? null,
      affiliate: affiliate?.affid ?? null,
    },
    progress: {
      ...{ step, isStarted: step > 0 || random.happens(0.25), ...(field && { field }) },
      openMs: random.integer(20_000, 600_000),
      shown: [...upToStep(() => (random.happens(0.08) ? 2 : 1)), sends ? 1 : 0],
      visibleMs: upToStep(() => Math.round(50_000 * (0.3 + 2 * random.next() ** 2))),
      refused:
        step > 0 && random.happens(0.15)
          ? [random.pick(['zip not-found', 'phone format', 'email format'])]
          : [],
      vitals: {
        lcp: random.integer(600, 1600 * slow),
        inp: random.integer(20, 240),
        cls: random.integer(0, 90),
      },
    },
  }
}

const allVisits = origins.reduce((sum, { visits }) => sum + visits, 0)

function drawOrigin(random: Random): (typeof origins)[number] {
  let left = random.next() * allVisits
  return origins.find(({ visits }) => {
    left -= visits
    return left < 0
  }) as (typeof origins)[number]
}

const firstNames = ['Ada', 'Maria', 'James', 'Linh', 'Omar', 'Grace', 'Diego', 'Priya', 'Tyrone']
const lastNames = ['Lovelace', 'Garcia', 'Smith', 'Nguyen', 'Haddad', 'Okafor', 'Ramos', 'Patel']
const places = [
  ...['Sarasota FL 34236', 'Austin TX 78701', 'Denver CO 80202', 'Columbus OH 43215'],
  ...['Atlanta GA 30303', 'Fresno CA 93721', 'Phoenix AZ 85004', 'Seattle WA 98101'],
]

/** Draws the answers of one person; no two people have the same email address. */
export function drawAnswers(random: Random, person: number, program: Program) {
  const [city = '', state = '', zip = ''] = random.pick(places).split(' ')
  const firstName = random.pick(firstNames)
  return {
    ...{ firstName, lastName: random.pick(lastNames), city, state, zip },
    phone: `(${random.integer(201, 989)}) 555-${String(person % 10_000).padStart(4, '0')}`,
    email: `${firstName.toLowerCase()}.${person}@example.com`,
    address: `${random.integer(1, 999)} ${random.pick(['Palm', 'Oak', 'Main', 'Lake'])} Street`,
    previousEducation: '790',
    graduatingYear: String(random.integer(1995, 2024)),
    desiredProgram: String(program.id),
    startDate: random.pick(startDates).id,
    confirmation: 'on',
  }
}
