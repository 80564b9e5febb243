import { figuresOf, type RangeName } from '#server/delivery/delivery-figures.ts'
import { timedCache } from '#server/platform/timed-cache.ts'
import type { Store } from '../../open-store.ts'

/** Counting takes some milliseconds more with each ten thousand leads that wait: at most a tenth of the store's time. */
const heldTimes = 10

/** What the page Deliveries counts, however many look at it at once. */
export function deliveryCounts(
  { breaker, backlog, rollups, index }: Pick<Store, 'breaker' | 'backlog' | 'rollups' | 'index'>,
  clock: () => number,
) {
  const held = <Value>(read: () => Promise<Value>) =>
    timedCache(
      async () => {
        const countedAt = clock()
        return { value: await read(), countedAt }
      },
      { times: heldTimes },
    )
  const figures = (range: RangeName) => held(() => figuresOf(rollups, range, clock()))
  const figuresIn = { '3h': figures('3h'), '24h': figures('24h'), '7d': figures('7d') }
  return {
    readBreaker: () => breaker.read(),
    readBacklog: held(() => backlog.read(clock())),
    readGroups: held(() => index.errorGroups.list()),
    readFigures: (range: RangeName) => figuresIn[range](),
  }
}
