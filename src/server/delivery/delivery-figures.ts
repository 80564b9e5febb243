import type { DeliveryFigures, FiguresBar, Lengths } from '#domain/delivery/deliveries-view.ts'
import { type Histogram, merged, percentileOf } from '#domain/delivery/histogram.ts'
import { type DeliveryRollup, type DeliveryRollups, slotMs } from './delivery-rollups.ts'

const hour = 3_600_000

/** The time ranges of the charts, by their name in the page's URL, each with the length of one bar. Milliseconds. */
export const ranges = {
  '3h': { lengthMs: 3 * hour, barMs: slotMs },
  '24h': { lengthMs: 24 * hour, barMs: hour / 2 },
  '7d': { lengthMs: 7 * 24 * hour, barMs: 3 * hour },
} as const

export type RangeName = keyof typeof ranges

type Counts = Pick<DeliveryRollup, 'delivered' | 'rejected' | 'failed'>

export async function figuresOf(
  rollups: Pick<DeliveryRollups, 'list'>,
  range: RangeName,
  now: number,
): Promise<DeliveryFigures> {
  const { lengthMs, barMs } = ranges[range]
  const until = now - (now % barMs) + barMs
  const since = until - lengthMs
  const slots = await rollups.list(since)
  const slotsOf = Map.groupBy(slots, ({ from }) => from - (from % barMs))
  const bars = Array.from({ length: lengthMs / barMs }, (_, index) => {
    const from = since + index * barMs
    return barOf(from, slotsOf.get(from) ?? [])
  })
  return { barMs, bars, total: sumOf(bars) }
}

const sumOf = (counts: readonly Counts[]): Counts => ({
  delivered: counts.reduce((sum, { delivered }) => sum + delivered, 0),
  rejected: counts.reduce((sum, { rejected }) => sum + rejected, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
})

function barOf(from: number, slots: readonly DeliveryRollup[]): FiguresBar {
  const sampled = slots.findLast(({ waiting }) => waiting !== null)
  const { waiting = null, oldestAt = null, from: sampledFrom = 0 } = sampled ?? {}
  return {
    from,
    ...sumOf(slots),
    waits: durationsOf(slots.map(({ waits }) => waits)),
    calls: durationsOf(slots.map(({ calls }) => calls)),
    waiting,
    oldestMs: oldestAt === null ? null : Math.max(0, sampledFrom + slotMs - oldestAt),
  }
}

function durationsOf(histograms: readonly Histogram[]): Lengths | undefined {
  const all = merged(histograms)
  const [median, slow] = [percentileOf(all, 0.5), percentileOf(all, 0.95)]
  return median === undefined || slow === undefined ? undefined : { median, slow }
}
