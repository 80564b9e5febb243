import type { DeliveryBacklog } from '../delivery-backlog.ts'
import { type DeliveryRollup, type DeliveryRollups, keptMs, slotMs } from './delivery-rollups.ts'
import { noAttempts, tally } from './tally.ts'

interface RollUpPorts {
  readonly rollups: DeliveryRollups
  readonly backlog: Pick<DeliveryBacklog, 'read'>
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Leaves the store to others after a reading that took so long, in milliseconds. */
  readonly rest: (tookMs: number) => Promise<void>
}

/** Processes' clocks differ, and a transaction takes its time: until then an attempt may still be written down. */
const graceMs = 60_000

/** Attempts that are read at once: below what an enquiry would feel. */
const readAtOnce = 200

const slotOf = (at: number): number => at - (at % slotMs)

/** One that began before would go as it is kept, and be counted again for ever. */
const oldestKept = (now: number): number => slotOf(now - keptMs) + slotMs

/**
 * Counts the next five minutes that are over.
 * @returns false where there are none
 */
export async function rollUpNext(ports: RollUpPorts): Promise<boolean> {
  const { rollups, backlog, clock } = ports
  const now = clock()
  const last = slotOf(now - graceMs) - slotMs
  const newest = await rollups.newest()
  const since = Math.max(newest === undefined ? 0 : newest + slotMs, oldestKept(now))
  if (since > last) return false
  // While nothing ran, or nothing was sent, there is nothing to count.
  const first = await rollups.firstAttempt({ since, until: last + slotMs })
  const from = first === undefined ? last : slotOf(first)
  const counted = await count(from, ports)
  // Of a time that is long over nobody knows any more what waited in it.
  const waits = from === last ? await backlog.read(now) : undefined
  await rollups.keep(
    {
      ...counted,
      waiting: waits?.waiting.count ?? null,
      oldestAt: waits?.oldest?.receivedAt ?? null,
    },
    now,
  )
  return true
}

async function count(from: number, { rollups, rest }: RollUpPorts): Promise<DeliveryRollup> {
  let rollup = noAttempts(from)
  let after: string | undefined
  for (;;) {
    const begunAt = performance.now()
    const range = { since: from, until: from + slotMs, after, take: readAtOnce }
    const attempts = await rollups.attempts(range)
    rollup = attempts.reduce(tally, rollup)
    after = attempts.at(-1)?.id
    if (attempts.length < readAtOnce) return rollup
    await rest(performance.now() - begunAt)
  }
}
