import type { Logger } from 'pino'
import { type RetentionLimits, retentionLimits } from '#domain/lead/retention.ts'
import { AdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import type { LeadRetention } from './purge-expired-leads.ts'

interface PurgeLoopParts {
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
const dayMs = 24 * hourMs
const logEveryMs = 60_000

/** Purges expired leads at the start and once a day, a little at a time. A stop waits for the batch under way. */
export function makePurgeLoop({ retention, days, clock, log, onEnded }: PurgeLoopParts) {
  const purge = async (): Promise<number> => {
    const now = clock()
    let progress: PurgeProgress = { leads: 0, consents: 0, reached: undefined }
    let loggedAt: number | undefined
    const purgePace = { now, pause: (ms: number) => loop.pause(ms) }
    for await (progress of purgeExpired(retention, retentionLimits(now, days), purgePace)) {
      if (loop.isStopping) break
      if (progress.leads + progress.consents === 0) continue
      if (loggedAt === undefined) {
        loggedAt = performance.now()
        log.info({ olderThanDays: days }, 'retention starts erasing')
      } else if (performance.now() - loggedAt >= logEveryMs) {
        loggedAt = performance.now()
        log.info(logFieldsOf(progress), 'retention goes on')
      }
    }
    if (!loop.isStopping) onEnded()
    if (progress.leads + progress.consents === 0) return dayMs
    if (loop.isStopping) {
      log.info(logFieldsOf(progress), 'retention stops, and goes on at the next start')
      return dayMs
    }
    const { leads, consents } = progress
    const bytes = await retention.wipe()
    log.info({ leads, consents, bytes }, 'retention erased the expired leads')
    return dayMs
  }
  const loop: PollingLoop = new PollingLoop(purge, {
    failureLog: {
      failed: (err) => log.error({ err }, 'retention did not end; trying again in an hour'),
      succeeded: () => undefined,
    },
    againAfter: hourMs,
  })
  return loop
}

/** `receivedBefore`: the purge has finished all leads received before this time. */
const logFieldsOf = ({ leads, consents, reached }: PurgeProgress) => ({
  leads,
  consents,
  ...(reached === undefined ? {} : { receivedBefore: new Date(reached).toISOString() }),
})

interface PurgeProgress {
  readonly leads: number
  readonly consents: number
  /** The purge has finished all leads received before this time, in epoch milliseconds; undefined at first. */
  readonly reached: number | undefined
}

interface PurgePace {
  /** Epoch milliseconds. */
  readonly now: number
  /** Pauses for a number of milliseconds, so that others can use the store. */
  readonly pause: (ms: number) => Promise<unknown>
}

/** The pause between two searches, in milliseconds; a short pause is enough, because a search does not delay writes. */
const searchPauseMs = 10

/**
 * Purges expired leads at a pace that visitors don't notice, and yields its progress. Several processes may purge at
 * once. If the caller stops iterating, the purge stops, and the next purge continues.
 */
export async function* purgeExpired(
  retention: LeadRetention,
  limits: RetentionLimits,
  { now, pause }: PurgePace,
): AsyncGenerator<PurgeProgress> {
  const throttle = new AdaptiveThrottle()
  let progress: PurgeProgress = { leads: 0, consents: 0, reached: undefined }
  let found = await retention.find(limits, undefined)
  while (found.end !== undefined) {
    for (let begin = 0; begin < found.ids.length; ) {
      const ids = found.ids.slice(begin, begin + throttle.next(found.ids.length - begin))
      const startedAt = performance.now()
      const { leads, consents } = await retention.purge({ ids, limits, now })
      const wait = throttle.took(performance.now() - startedAt, ids.length)
      begin += ids.length
      progress = {
        ...progress,
        leads: progress.leads + leads,
        consents: progress.consents + consents,
      }
      yield progress
      await pause(wait)
    }
    progress = { ...progress, reached: found.end.receivedAt }
    yield progress
    await pause(searchPauseMs)
    found = await retention.find(limits, found.end)
  }
}
