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

describe('leads that fail by themselves', () => {
  const upToEleven = fc
    .tuple(
      fc.shuffledSubarray(
        Array.from({ length: 24 }, (_, id) => id),
        { minLength: 1, maxLength: 11 },
      ),
      fc.integer({ min: 12, max: 24 }),
    )
    .map(([poisoned, count]) =>
      Array.from({ length: count }, (_, id): Kind => (poisoned.includes(id) ? 'poison' : 'good')),
    )
  /** Eleven before the good ones, after them, around one, and all that there is for a while. */
  const lying = {
    first: (count: number) => (id: number) => (id < count ? 'poison' : 'good'),
    last: (count: number) => (id: number) => (id < 9 ? 'good' : id < 9 + count ? 'poison' : 'good'),
    around: (count: number) => (id: number) => (id === Math.ceil(count / 2) ? 'good' : 'poison'),
  }

  // What the content of one lead can bring about, at the distributor or at something before it.
  it.each<AttemptOutcome>([
    refused,
    { name: 'broken', httpStatus: 500, reason: 'server-error' },
    { name: 'unknown', reason: 'timeout' },
    { name: 'unreachable', reason: 'no-connection' },
    { name: 'busy', httpStatus: 429, retryAfterMs: 0 },
    { name: 'busy', httpStatus: 429, retryAfterMs: 31 * 24 * 60 * minute },
  ])('one or eleven hold nobody up for 90 s, however they lie: $name', async (poison) => {
    const pattern = fc.oneof(
      upToEleven,
      fc
        .record({ how: fc.constantFrom(...Object.values(lying)), count: fc.constantFrom(1, 11) })
        .map(({ how, count }) =>
          Array.from({ length: count + 1 }, (_, id) => how(count)(id) as Kind),
        ),
    )
    const apart = fc.constantFrom(0, 1, 10 * second, 6 * minute)
    await fc.assert(
      fc.asyncProperty(pattern, apart, workers, async (kinds, apart, workers) => {
        const leads = kinds.map((_, id) => id * apart)
        const answers = poisonedBy(kinds, poison)
        const until = (leads.at(-1) ?? 0) + 90 * second
        const { calls } = await simulateDeliveries({ ...workers, leads, answers, until })
        const late = goodOf(kinds).filter((id) => {
          const call = calls.find(({ leadId, outcome }) => leadId === id && outcome === 'delivered')
          return call === undefined || call.at > (leads[Number(id)] ?? 0) + 90 * second
        })
        expect(late).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('any number in any order: every other lead gets out, and they die of their own schedule', async () => {
    const kinds = fc.array(fc.constantFrom<Kind>('good', 'poison', 'poison'), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(kinds, workers, async (kinds, workers) => {
        const leads = [...kinds, 'good'].map((_, id) => id * second)
        const answers = poisonedBy(kinds, refused)
        // The schedule takes 28 hours, and who comes later shows that the rest are refused alone.
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

  // How late the others are at most; without any they take as long as the call, 50 ms.
  it.each([
    { what: 'every tenth lead', isPoison: (id: number) => id % 10 === 0, lateMs: 100 },
    { what: 'every other lead', isPoison: (id: number) => id % 2 === 0, lateMs: 1000 },
    { what: 'three of four leads', isPoison: (id: number) => id % 4 !== 0, lateMs: 30 * second },
    {
      what: 'nineteen of twenty, from one network',
      isPoison: (id: number) => id % 20 !== 0,
      networkOf: (id: string) => (Number(id) % 20 === 0 ? id : 'the attacker’s'),
      lateMs: 10 * second,
    },
  ])('a stream of forbidden leads holds the others up little: $what', async (stream) => {
    const { isPoison, lateMs, ...from } = stream
    const leads = Array.from({ length: 1200 }, (_, id) => id * second)
    const answers = (leadId: string) => (isPoison(Number(leadId)) ? refused : delivered)
    const until = 21 * minute
    const scene = { ...from, leads, answers, workers: 1, concurrency: 8, until }
    const { calls } = await simulateDeliveries(scene)
    const lateness = calls
      .filter(({ outcome }) => outcome === 'delivered')
      .map(({ leadId, at }) => at - (leads[Number(leadId)] ?? 0))
    expect(lateness).toHaveLength(leads.filter((_, id) => !isPoison(id)).length)
    expect(Math.max(...lateness)).toBeLessThanOrEqual(lateMs)
  })
})

describe('a hundred and more leads that fail by themselves, and a few others among them', () => {
  const silent: AttemptOutcome = { name: 'unknown', reason: 'timeout' }
  const anyOrder = (poison: number, good: number) =>
    fc.oneof(
      fc.constant(Array.from({ length: poison + good }, (_, id) => id >= poison)),
      fc.constant(
        Array.from({ length: poison + good }, (_, id) => Math.abs(id - poison / 2) < good / 2),
      ),
      fc
        .shuffledSubarray(
          Array.from({ length: poison + good }, (_, id) => id),
          { minLength: good, maxLength: good },
        )
        .map((places) => Array.from({ length: poison + good }, (_, id) => places.includes(id))),
    )

  // What a real attack took before: 4 of 5 not within 195 s, 4 of 8 not within 9 minutes.
  it.each([
    {
      what: '150 forbidden ones of one neighbourhood, on a site of which no lead was ever taken',
      poison: { count: 150, outcome: refused, callMs: 50, network: () => 'the sender’s' },
      others: 5,
      answeredBefore: [],
      lateMs: 30 * second,
    },
    {
      what: '150 forbidden ones of as many, on one where a lead was taken within the day',
      poison: { count: 150, outcome: refused, callMs: 200, network: (id: string) => id },
      others: 5,
      answeredBefore: [0],
      lateMs: 90 * second,
    },
    {
      what: '179 that are never answered, of one neighbourhood',
      poison: { count: 179, outcome: silent, callMs: 15 * second, network: () => 'the sender’s' },
      others: 8,
      answeredBefore: [],
      // One that is answered keeps the breaker closed for two more calls of all slots, then a probe waits a second. So those
      // that stand far apart come after one another: 8 in up to 4 minutes, in any order.
      apartMs: 32 * second,
      lateMs: 8 * 32 * second,
    },
  ])('$what', async ({ poison, others, answeredBefore, lateMs, apartMs = lateMs }) => {
    const apart = fc.constantFrom(0, 100, second)
    await fc.assert(
      fc.asyncProperty(anyOrder(poison.count, others), apart, async (isOther, apart) => {
        const begin = 23 * 60 * minute
        const leads = [...answeredBefore, ...isOther.map((_, place) => begin + place * apart)]
        const isGood = (id: string) => isOther[Number(id) - answeredBefore.length] ?? true
        const { calls } = await simulateDeliveries({
          leads,
          answers: (id) => (isGood(id) ? delivered : poison.outcome),
          callMs: (id) => (isGood(id) ? 50 : poison.callMs),
          networkOf: (id) => (isGood(id) ? id : poison.network(id)),
          workers: 1,
          concurrency: 8,
          until: (leads.at(-1) ?? 0) + lateMs,
        })
        const deliveredAt = (id: number) =>
          calls.find((one) => one.leadId === `${id}` && one.outcome === 'delivered')?.at ?? Infinity
        const good = leads.flatMap((at, id) =>
          isGood(`${id}`) ? [{ at, out: deliveredAt(id) }] : [],
        )
        const late = good.filter(({ at, out }) => {
          const passed = good.map((one) => one.out).filter((time) => time > at && time <= out)
          const times = [at, ...passed.toSorted((a, b) => a - b)]
          const stops = times.slice(1).map((time, index) => time - (times[index] ?? 0))
          return out > at + lateMs || Math.max(...stops) > apartMs
        })
        expect(late).toEqual([])
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })
})

describe('a distributor that refuses us', () => {
  const manyLeads = fc.array(fc.integer({ min: 0, max: 60 * second }), {
    minLength: 1,
    maxLength: 100,
    size: 'max',
  })
  const networks = fc.constantFrom<NonNullable<Scene['networkOf']>>(
    () => 'the same for all',
    (id) => id,
    (id) => String(Number(id) % 5),
  )

  it('gets a bounded start and then one call in five minutes, whatever waits and however often we restart', async () => {
    const restarts = fc.constantFrom(undefined, 5 * second, 45 * second, 4 * minute)
    await fc.assert(
      fc.asyncProperty(
        manyLeads,
        workers,
        networks,
        restarts,
        async (times, workers, networkOf, restartsEvery) => {
          const until = 30 * minute
          const leads = times.toSorted((a, b) => a - b)
          const scene = { ...workers, leads, networkOf, answers: () => refused, until }
          const { calls } = await simulateDeliveries({
            ...scene,
            ...(restartsEvery && { restartsEvery }),
          })
          const atOnce = workers.workers * workers.concurrency
          const perFiveMinutes = restartsEvery === undefined ? 1 : 2
          const later = perFiveMinutes * (until / (5 * minute))
          expect(calls.length).toBeLessThanOrEqual(atOnce + 2 * 15 + later)
          const lastHalf = calls.filter(({ at }) => at > until / 2)
          expect(lastHalf.length).toBeLessThanOrEqual(later / 2 + 1)
        },
      ),
      { numRuns: 30, endOnFailure: true },
    )
  })

  it('after it has answered: two hundred calls at most are made of that, and then one in five minutes', async () => {
    await fc.assert(
      fc.asyncProperty(networks, fc.integer({ min: 1, max: 400 }), async (networkOf, waiting) => {
        const revokedAt = 10 * second
        const leads = [0, ...Array.from({ length: waiting }, (_, id) => revokedAt + id * 10)]
        const { calls } = await simulateDeliveries({
          leads,
          networkOf,
          answers: (_, now) => (now < revokedAt ? delivered : refused),
          workers: 1,
          concurrency: 8,
          until: 60 * minute,
        })
        expect(calls.length).toBeLessThanOrEqual(1 + 8 + 3 + 2 * 200 + 12)
        const later = calls.filter(({ at }) => at > 10 * minute)
        expect(later.length).toBeLessThanOrEqual(11)
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })

  it('once mended: all goes out within five minutes, without a hand, and has spent nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), workers, async (count, workers) => {
        const mendedAt = 3 * minute
        const answers = (_: string, now: number) => (now < mendedAt ? refused : delivered)
        const leads = Array.from({ length: count }, (_, id) => id)
        const until = mendedAt + 5 * minute + 10 * second
        const run = await simulateDeliveries({ ...workers, leads, answers, until })
        expect(deliveredIn(run)).toHaveLength(count)
        // The try that delivered it; whichever showed that we are taken again has its first one, too.
        const counted = run.deliveries.map(({ attempts, uncounted }) => attempts - uncounted)
        expect(counted.filter((tries) => tries > 1).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 40 },
    )
  })
})
