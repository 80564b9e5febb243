import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { type Scene, simulateDeliveries } from '#tests/delivery/simulate-deliveries.ts'

const second = 1000
const minute = 60 * second

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const refused: AttemptOutcome = { name: 'refused', httpStatus: 403 }

type Kind = 'good' | 'poison'

const workers = fc.record({
  workers: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
})

const poisonedBy =
  (kinds: readonly Kind[], poison: AttemptOutcome): Scene['answers'] =>
  (leadId) =>
    kinds[Number(leadId)] === 'poison' ? poison : delivered

const goodOf = (kinds: readonly Kind[]) =>
  kinds.flatMap((kind, id) => (kind === 'good' ? [String(id)] : []))

const deliveredIn = ({ calls }: Awaited<ReturnType<typeof simulateDeliveries>>) =>
  calls.filter(({ outcome }) => outcome === 'delivered').map(({ leadId }) => leadId)

/** Outcomes that the content of a single lead can cause, at the distributor or at a proxy in front of it. */
const poisonOutcomes: readonly AttemptOutcome[] = [
  refused,
  { name: 'broken', httpStatus: 500, reason: 'server-error' },
  { name: 'unknown', reason: 'timeout' },
  { name: 'unreachable', reason: 'no-connection' },
  { name: 'busy', httpStatus: 429, retryAfterMs: 0 },
  { name: 'busy', httpStatus: 429, retryAfterMs: 31 * 24 * 60 * minute },
]

const seeds = fc.integer({ min: 1, max: 2 ** 31 })

/** The good leads that were not delivered within `lateMs` milliseconds of their arrival. */
async function lateLeads(kinds: readonly Kind[], scene: Omit<Scene, 'until'>, lateMs: number) {
  const { leads } = scene
  const until = (leads.at(-1) ?? 0) + lateMs
  const { calls } = await simulateDeliveries({ ...scene, until })
  return goodOf(kinds).filter((id) => {
    const call = calls.find(({ leadId, outcome }) => leadId === id && outcome === 'delivered')
    return call === undefined || call.at > (leads[Number(id)] ?? 0) + lateMs
  })
}

/** Generates `count` leads, with the given number of poisoned leads at random places. */
const anyOrder = (poisoned: number, count: number) =>
  fc
    .shuffledSubarray(
      Array.from({ length: count }, (_, id) => id),
      { minLength: poisoned, maxLength: poisoned },
    )
    .map((ids) =>
      Array.from({ length: count }, (_, id): Kind => (ids.includes(id) ? 'poison' : 'good')),
    )

describe('leads that fail by themselves', () => {
  it.each(poisonOutcomes)('one delays no other by 5 s: $name', async (poison) => {
    const pattern = fc.integer({ min: 2, max: 24 }).chain((count) => anyOrder(1, count))
    const apart = fc.constantFrom(0, 1, 10 * second, 6 * minute)
    await fc.assert(
      fc.asyncProperty(pattern, apart, workers, seeds, async (kinds, apart, workers, seed) => {
        const leads = kinds.map((_, id) => id * apart)
        const scene = { ...workers, seed, leads, answers: poisonedBy(kinds, poison) }
        expect(await lateLeads(kinds, scene, 5 * second)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it.each(poisonOutcomes)(
    '19 of 20 that wait delay the other by 60 s at most: $name',
    async (poison) => {
      await fc.assert(
        fc.asyncProperty(anyOrder(19, 20), workers, seeds, async (kinds, workers, seed) => {
          const leads = kinds.map((_, id) => id)
          const scene = { ...workers, seed, leads, answers: poisonedBy(kinds, poison) }
          const callMs = () => 200
          expect(await lateLeads(kinds, { ...scene, callMs }, 60 * second)).toEqual([])
        }),
        { numRuns: 40 },
      )
    },
  )

  it('190 forbidden leads of 200 that wait delay the others by 60 s at most', async () => {
    await fc.assert(
      fc.asyncProperty(anyOrder(190, 200), workers, seeds, async (kinds, workers, seed) => {
        const leads = kinds.map((_, id) => id)
        const scene = { ...workers, seed, leads, answers: poisonedBy(kinds, refused) }
        expect(await lateLeads(kinds, scene, 60 * second)).toEqual([])
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  it('150 forbidden leads that wait delay the one among them by 90 s at most', async () => {
    await fc.assert(
      fc.asyncProperty(anyOrder(150, 151), workers, seeds, async (kinds, workers, seed) => {
        const leads = kinds.map(() => 0)
        const callMs = () => 200
        const scene = { ...workers, seed, callMs, leads, answers: poisonedBy(kinds, refused) }
        expect(await lateLeads(kinds, scene, 90 * second)).toEqual([])
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  it('any number in any order delays no other lead for good, and ends dead after its own schedule', async () => {
    const kinds = fc.array(fc.constantFrom<Kind>('good', 'poison', 'poison'), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(kinds, workers, async (kinds, workers) => {
        const leads = [...kinds, 'good'].map((_, id) => id * second)
        const answers = poisonedBy(kinds, refused)
        // The retry schedule takes 28 hours. The later leads show that the distributor accepts other leads.
        const later = [30 * 60 * minute, 60 * 60 * minute]
        const until = 100 * 60 * minute
        const run = await simulateDeliveries({
          ...workers,
          leads: [...leads, ...later],
          answers,
          until,
        })
        const settled = run.deliveries.map(({ id, settledAs }) => [id, settledAs])
        expect(settled).toEqual(
          [...leads, ...later].map((_, id) => [
            String(id),
            kinds[id] === 'poison' ? 'dead' : 'delivered',
          ]),
        )
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  // `lateMs` is the longest delay of the good leads; a call takes 50 ms.
  it.each([
    { what: 'every tenth lead', isPoison: (id: number) => id % 10 === 0, lateMs: 100 },
    { what: 'every other lead', isPoison: (id: number) => id % 2 === 0, lateMs: 1000 },
    { what: 'three of four leads', isPoison: (id: number) => id % 4 !== 0, lateMs: 30 * second },
    { what: '19 of 20 leads', isPoison: (id: number) => id % 20 !== 0, lateMs: 60 * second },
  ])('a stream of forbidden leads delays the others little: $what', async (stream) => {
    const { isPoison, lateMs } = stream
    const leads = Array.from({ length: 1200 }, (_, id) => id * second)
    const answers = (leadId: string) => (isPoison(Number(leadId)) ? refused : delivered)
    const until = 21 * minute
    const { calls } = await simulateDeliveries({
      leads,
      answers,
      workers: 1,
      concurrency: 8,
      until,
    })
    const lateness = calls
      .filter(({ outcome }) => outcome === 'delivered')
      .map(({ leadId, at }) => at - (leads[Number(leadId)] ?? 0))
    expect(lateness).toHaveLength(leads.filter((_, id) => !isPoison(id)).length)
    expect(Math.max(...lateness)).toBeLessThanOrEqual(lateMs)
  })
})

describe('a distributor that refuses us', () => {
  const manyLeads = fc.array(fc.integer({ min: 0, max: 60 * second }), {
    minLength: 1,
    maxLength: 300,
    size: 'max',
  })
  it('gets two hundred calls at first and then one in five minutes, whatever waits and however often we restart', async () => {
    const restarts = fc.constantFrom(undefined, 5 * second, 45 * second, 4 * minute)
    await fc.assert(
      fc.asyncProperty(manyLeads, workers, restarts, async (times, workers, restartsEvery) => {
        const until = 30 * minute
        const leads = times.toSorted((a, b) => a - b)
        const scene = { ...workers, leads, answers: () => refused, until }
        const { calls } = await simulateDeliveries({
          ...scene,
          ...(restartsEvery && { restartsEvery }),
        })
        const atOnce = workers.workers * workers.concurrency
        const perFiveMinutes = restartsEvery === undefined ? 1 : 2
        const later = perFiveMinutes * (until / (5 * minute))
        expect(calls.length).toBeLessThanOrEqual(atOnce + 200 + later)
        const lastHalf = calls.filter(({ at }) => at > until / 2)
        expect(lastHalf.length).toBeLessThanOrEqual(later / 2 + 1)
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })

  it('gets as few calls if it answered before', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 1, max: 400 }), async (seed, waiting) => {
        const revokedAt = 10 * second
        const leads = [0, ...Array.from({ length: waiting }, (_, id) => revokedAt + id * 10)]
        const { calls } = await simulateDeliveries({
          leads,
          seed,
          answers: (_, now) => (now < revokedAt ? delivered : refused),
          workers: 1,
          concurrency: 8,
          until: 60 * minute,
        })
        expect(calls.length).toBeLessThanOrEqual(1 + 8 + 3 + 200 + 12)
        const later = calls.filter(({ at }) => at > 10 * minute)
        expect(later.length).toBeLessThanOrEqual(11)
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })

  it('gets all leads within five minutes once it works again, and no lead has used up an attempt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), workers, async (count, workers) => {
        const mendedAt = 3 * minute
        const answers = (_: string, now: number) => (now < mendedAt ? refused : delivered)
        const leads = Array.from({ length: count }, (_, id) => id)
        const until = mendedAt + 5 * minute + 10 * second
        const run = await simulateDeliveries({ ...workers, leads, answers, until })
        expect(deliveredIn(run)).toHaveLength(count)
        // Each delivery counts only its successful attempt. The delivery that ended the trip may count its first
        // attempt, too.
        const counted = run.deliveries.map(({ attempts, uncounted }) => attempts - uncounted)
        expect(counted.filter((tries) => tries > 1).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 40 },
    )
  })
})
