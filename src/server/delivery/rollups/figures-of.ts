import { type Histogram, longestOf, merged } from '#domain/delivery/histogram.ts'
import { type DeliveryRollup, type DeliveryRollups, slotMs } from './delivery-rollups.ts'
import { noAttempts, tally } from './tally.ts'

const hour = 3_600_000

/** As they stand in the address, each with what one bar of its charts is of, in milliseconds. */
export const ranges = {
  '3h': { lengthMs: 3 * hour, barMs: slotMs },
  '24h': { lengthMs: 24 * hour, barMs: hour / 2 },
  '7d': { lengthMs: 7 * 24 * hour, barMs: 3 * hour },
} as const

export type RangeName = keyof typeof ranges

/** What came of deliveries, bar by bar. Times are epoch milliseconds. */
export interface DeliveryFigures {
  readonly barMs: number
  /** The oldest first. */
  readonly bars: readonly FiguresBar[]
  readonly total: Pick<DeliveryRollup, 'delivered' | 'rejected' | 'failed'>
  /** Attempts that were written down later are not in it: it is being caught up with. Else undefined. */
  readonly countedUntil: number | undefined
}

export interface FiguresBar
  extends Pick<DeliveryRollup, 'from' | 'delivered' | 'rejected' | 'failed'> {
  /** Undefined where there was none. */
  readonly waits: Lengths | undefined
  readonly calls: Lengths | undefined
  /** As it ended; null where nobody counted then. */
  readonly waiting: number | null
  readonly oldestMs: number | null
}

/** In milliseconds: so long took half of them at most, and 95 of 100. */
export interface Lengths {
  readonly median: number
  readonly slow: number
}

/** Attempts of the last minutes that are counted for a page; with more of them it says up to when it has counted. */
const mostLive = 10_000

export async function figuresOf(
  rollups: DeliveryRollups,
  range: RangeName,
  now: number,
): Promise<DeliveryFigures> {
  const { lengthMs, barMs } = ranges[range]
  const until = now - (now % barMs) + barMs
  const since = until - lengthMs
  const kept = await rollups.list(since)
  const keptUntil = kept.at(-1)?.from
  const live = await countLive(rollups, keptUntil === undefined ? since : keptUntil + slotMs, now)
  const slots = [...kept, ...live.slots]
  const slotsOf = Map.groupBy(slots, ({ from }) => from - (from % barMs))
  const bars = Array.from({ length: lengthMs / barMs }, (_, index) => {
    const from = since + index * barMs
    return barOf(from, slotsOf.get(from) ?? [])
  })
  const sum = (of: 'delivered' | 'rejected' | 'failed') =>
    bars.reduce((total, bar) => total + bar[of], 0)
  const total = { delivered: sum('delivered'), rejected: sum('rejected'), failed: sum('failed') }
  return { barMs, bars, total, countedUntil: live.countedUntil }
}

/** What is not rolled up yet. */
export async function countLive(
  rollups: Pick<DeliveryRollups, 'attempts'>,
  since: number,
  now: number,
) {
  const attempts = await rollups.attempts({ since, until: now + slotMs, take: mostLive })
  const slots = new Map<number, DeliveryRollup>()
  for (const attempt of attempts) {
    const at = attempt.startedAt + attempt.durationMs
    const from = Math.max(since, at - (at % slotMs))
    slots.set(from, tally(slots.get(from) ?? noAttempts(from), attempt))
  }
  const last = attempts.length < mostLive ? undefined : attempts.at(-1)
  return { slots: [...slots.values()], countedUntil: last && last.startedAt + last.durationMs }
}

function barOf(from: number, slots: readonly DeliveryRollup[]): FiguresBar {
  const sum = (of: 'delivered' | 'rejected' | 'failed') =>
    slots.reduce((total, slot) => total + slot[of], 0)
  const sampled = slots.findLast(({ waiting }) => waiting !== null)
  const { waiting = null, oldestAt = null, from: sampledFrom = 0 } = sampled ?? {}
  return {
    from,
    delivered: sum('delivered'),
    rejected: sum('rejected'),
    failed: sum('failed'),
    waits: lengthsOf(slots.map(({ waits }) => waits)),
    calls: lengthsOf(slots.map(({ calls }) => calls)),
    waiting,
    oldestMs: oldestAt === null ? null : Math.max(0, sampledFrom + slotMs - oldestAt),
  }
}

function lengthsOf(histograms: readonly Histogram[]): Lengths | undefined {
  const all = merged(histograms)
  const [median, slow] = [longestOf(all, 0.5), longestOf(all, 0.95)]
  return median === undefined || slow === undefined ? undefined : { median, slow }
}
