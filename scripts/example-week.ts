import { createHash, randomUUIDv7 } from 'node:crypto'
import type { NextMove } from '#domain/delivery/next-move.ts'
import { plainLine } from '#domain/text/plain-line.ts'
import type { SendResult } from '#server/delivery/distributor-reply.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

/** Names for made-up people. */
const firstNames = 'Maya Owen Priya Luis Hannah Andre Sofia Caleb Noor Grace Tomas Ruth'.split(' ')
const lastNames =
  'Alvarez Brooks Chen Delgado Ellis Foster Grant Huang Iqbal Jensen Kowalski Lindgren Moreno'.split(
    ' ',
  )
const places = [
  { city: 'Sarasota', state: 'FL', zip: '34236' },
  { city: 'Austin', state: 'TX', zip: '78701' },
  { city: 'Columbus', state: 'OH', zip: '43215' },
  { city: 'Fresno', state: 'CA', zip: '93721' },
  { city: 'Buffalo', state: 'NY', zip: '14202' },
]
const affiliates = ['fall-search', 'nurses-today', 'mail-0311', null, 'campus-guide']
const programs = [
  ['business', 'M.B.A.', 8],
  ['healthcare', 'B.S. Nursing (RN to BSN)', 15],
  ['business', 'B.S. Accounting', 1],
  ['education', 'B.A. Elementary Ed', 43],
  ['technology', 'B.S. Health Information Management', 18],
] as const

const minute = 60_000
const hour = 60 * minute

type Attempt = readonly [result: SendResult, next: (now: number) => NextMove]

const settled =
  (settledAs: 'delivered' | 'rejected' | 'dead') =>
  (at: number): NextMove => ({ settledAs, at })
const again =
  (ms: number) =>
  (now: number): NextMove => ({ retryAt: now + ms, setBy: 'schedule' })

const delivered: Attempt = [
  { outcome: { name: 'delivered', httpStatus: 200 } },
  settled('delivered'),
]
const busy = (next: Attempt[1]): Attempt => [
  { outcome: { name: 'busy', httpStatus: 503 }, said: plainLine('Service Unavailable') },
  next,
]
const rejected = (said: string, cause?: 'cap'): Attempt => [
  {
    outcome: { name: 'rejected', httpStatus: 200, ...(cause && { cause }) },
    said: plainLine(said),
  },
  settled('rejected'),
]

/** The attempts to deliver the n-th lead; most are accepted at once. */
function attemptsOf(n: number, isRecent: boolean): readonly Attempt[] {
  if (n % 31 === 7) return [rejected('Reached the monthly offer cap', 'cap')]
  if (n % 43 === 11) return [rejected('phone: is not a working number')]
  if (n % 61 === 13)
    return [
      busy(again(4 * minute)),
      busy(again(16 * minute)),
      [{ outcome: { name: 'broken', httpStatus: 500, reason: 'server-error' } }, settled('dead')],
    ]
  if (n % 29 === 5)
    return [
      [
        { outcome: { name: 'unknown', reason: 'timeout' } },
        again(isRecent ? 2 * hour : 6 * minute),
      ],
      delivered,
    ]
  if (n % 17 === 3) return [busy(again(isRecent ? 2 * hour : 3 * minute)), delivered]
  return [delivered]
}

/** Arrival times as in a campaign: quiet at night, and different every day. */
function arrivals(now: number): number[] {
  const times: number[] = []
  for (let at = now - 8 * 24 * hour, n = 0; at < now; n++) {
    times.push(Math.round(at))
    const byHour = 0.25 + (1 - Math.cos((((at / hour) % 24) / 24) * 2 * Math.PI))
    const byDay = 0.8 + ((Math.floor(at / hour / 24) * 5) % 7) / 15
    at += (9 * minute * (0.6 + ((n * 7919) % 97) / 110)) / (byHour * byDay)
  }
  return times
}

/** Stores eight days of made-up leads, as a school with one campaign would have them. */
export async function fillExampleWeek(dataDir: string, now: number): Promise<void> {
  const store = await openStore({ dataDir })
  await store.migrate()
  const owed = new Map<string, Attempt[]>()
  const times = arrivals(now)
  for (const [n, receivedAt] of times.entries()) {
    await deliver(store, owed, receivedAt)
    const isSuspect = n % 89 === 17 || n > times.length - 3
    const id = await arrive(store, n, receivedAt, isSuspect)
    owed.set(id, [...attemptsOf(n, receivedAt > now - 50 * minute)])
    await deliver(store, owed, receivedAt + 600)
  }
  await store.close()
}

async function arrive(store: Store, n: number, receivedAt: number, isSuspect: boolean) {
  const of = <Each>(each: readonly Each[], step: number) => each[(n * step) % each.length] as Each
  const [area, program, programId] = of(programs, 3)
  const { consent } = exampleArrival().lead
  const arrival = exampleArrival({
    id: idAt(receivedAt),
    receivedAt,
    openedAt: receivedAt - (90 + (n % 60)) * 1000,
    area,
    subId: of(affiliates, 7),
    firstName: of(firstNames, 5),
    lastName: of(lastNames, 11),
    phone: `94155${51_000 + n}`,
    email: `lead-${n}@example.com`,
    ...of(places, 2),
    addressVerified: n % 9 !== 4,
    program: {
      id: programId,
      name: program,
      active: true,
      types: ['Business'],
      degreeType: 'Bachelors',
    },
    gpc: n % 23 === 2,
    consent: { ...consent, at: receivedAt - 900, pageUrl: `https://school.example/${area}` },
  })
  const signals = isSuspect ? (['too-fast', 'honeypot-filled'] as const).slice(0, 1 + (n % 2)) : []
  await store.intake.accept({ ...arrival, signals, isQuarantined: isSuspect })
  return arrival.lead.id
}

async function deliver(store: Store, owed: Map<string, Attempt[]>, now: number): Promise<void> {
  const claimed = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 20 })
  for (const { id, lease, lead } of claimed) {
    const [result, next] = owed.get(lead.id)?.shift() ?? delivered
    const durationMs = 180 + (createHash('md5').update(id).digest()[0] ?? 0)
    const ended = now + durationMs
    await store.queue.record({
      ...{ id: idAt(ended), deliveryId: id, lease, startedAt: now, durationMs },
      ...result,
      next: next(ended),
    })
  }
}

/** Makes a UUIDv7 of a given time, because leads and attempts are searched for by the time in their ids. */
function idAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${randomUUIDv7().slice(13)}`
}
