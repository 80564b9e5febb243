import type { Store } from '../../../src/server/store/open-store.ts'
import { median } from '../../median.ts'
import { sized } from '../../sized.ts'

const claims = sized(200, 5)
/** Longer than the benchmark, so that no lease ends. */
const leaseMs = 3_600_000

/**
 * The medians of many claims, in milliseconds. The stores take turns, so that a busy moment of the machine affects
 * both.
 */
export async function claimTimes(stores: { readonly large: Store; readonly small: Store }) {
  const times = { large: [] as number[], small: [] as number[] }
  for (let claim = 0; claim < claims; claim++) {
    times.large.push(await claimTime(stores.large))
    times.small.push(await claimTime(stores.small))
  }
  return { large: median(times.large), small: median(times.small) }
}

async function claimTime({ queue }: Store): Promise<number> {
  const now = Date.now()
  const startedAt = performance.now()
  const { length } = await queue.claimDue({ now, leaseUntil: now + leaseMs, limit: 1 })
  if (length !== 1) throw new Error(`of many due deliveries ${length} were claimed instead of 1`)
  return performance.now() - startedAt
}
