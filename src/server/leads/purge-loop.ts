import type { Logger } from 'pino'
import { findRetentionLimits, type RetentionLimits } from '#domain/lead/retention.ts'
import { AdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import type { LeadRetention } from './purge-expired-leads.ts'

interface PurgeLoopDependencies {
  readonly retention: LeadRetention
  /** How long a lead's answers are kept, in days. */
  readonly days: number
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  /** Called when nothing expired is left. */
  readonly onEnded: () => void
}

const hourMs = 60 * 60 * 1000

/** The pause between two searches, in milliseconds; a short pause is enough, because a search does not delay writes. */
const searchPauseMs = 10

/** Purges expired leads at the start and once a day. Stopping waits for the current batch; the next start continues. */
export function makePurgeLoop({ retention, days, clock, log, onEnded }: PurgeLoopDependencies) {
  const purge = async (): Promise<number> => {
    const now = clock()
    const { leads, consents } = await purgeExpired(
      retention,
      findRetentionLimits(now, days),
      now,
      loop,
    )
    if (loop.isStopping) return 0
    onEnded()
    if (leads + consents > 0) {
      const bytes = await retention.wipe()
      log.info({ leads, consents, bytes }, 'retention erased the expired leads')
    }
    return 24 * hourMs
  }
  const loop: PollingLoop = new PollingLoop(purge, {
    failureLog: {
      failed: (err) => log.error({ err }, 'the retention run failed; trying again in an hour'),
      succeeded: () => undefined,
    },
    againAfter: hourMs,
  })
  return loop
}

/** Purges at a pace that visitors don't notice, until the loop is stopped. Several processes may purge at once. */
export async function purgeExpired(
  retention: LeadRetention,
  limits: RetentionLimits,
  now: number,
  loop: Pick<PollingLoop, 'pause' | 'isStopping'>,
) {
  const throttle = new AdaptiveThrottle()
  const purged = { leads: 0, consents: 0 }
  let found = await retention.find(limits, undefined)
  while (found.end !== undefined && !loop.isStopping) {
    for (let begin = 0; begin < found.ids.length && !loop.isStopping; ) {
      const ids = found.ids.slice(begin, begin + throttle.next(found.ids.length - begin))
      const startedAt = performance.now()
      const { leads, consents } = await retention.purge({ ids, limits, now })
      purged.leads += leads
      purged.consents += consents
      begin += ids.length
      await loop.pause(throttle.took(performance.now() - startedAt, ids.length))
    }
    await loop.pause(searchPauseMs)
    found = await retention.find(limits, found.end)
  }
  return purged
}
