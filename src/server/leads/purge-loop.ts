import type { Logger } from 'pino'
import { type RetentionLimits, retentionLimits } from '#domain/lead/retention.ts'
import { AdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import type { LeadRetention } from './purge-expired-leads.ts'

export interface PurgeLoopParts {
  readonly retention: LeadRetention
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  /** Called when nothing expired is left. */
  readonly onEnded: () => void
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const sayEveryMs = 60_000

/** Purges expired leads at the start and once a day, a little at a time. */
export class PurgeLoop {
  readonly #parts: PurgeLoopParts
  readonly #days: number
  readonly #loop: PollingLoop

  /** @param days how long a lead's answers are kept */
  constructor(parts: PurgeLoopParts, days: number) {
    this.#parts = parts
    this.#days = days
    const { log } = parts
    this.#loop = new PollingLoop(
      async () => {
        await this.#purge()
        return dayMs
      },
      {
        failureLog: {
          failed: (err) => log.error({ err }, 'retention did not end; trying again in an hour'),
          succeeded: () => undefined,
        },
        againAfter: hourMs,
      },
    )
  }

  start(): void {
    this.#loop.start()
  }

  /** Finishes the batch under way. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #purge(): Promise<void> {
    const { retention, clock, log, onEnded } = this.#parts
    const now = clock()
    const pause = (ms: number) => this.#loop.pause(ms)
    let done: PurgeProgress = { leads: 0, consents: 0, reached: undefined }
    let saidAt: number | undefined
    for await (done of purgeExpired(retention, retentionLimits(now, this.#days), { now, pause })) {
      if (this.#loop.isStopping) break
      if (done.leads + done.consents === 0) continue
      if (saidAt === undefined) {
        saidAt = performance.now()
        log.info({ olderThanDays: this.#days }, 'retention starts erasing')
      } else if (performance.now() - saidAt >= sayEveryMs) {
        saidAt = performance.now()
        log.info(inLog(done), 'retention goes on')
      }
    }
    if (!this.#loop.isStopping) onEnded()
    if (done.leads + done.consents === 0) return
    if (this.#loop.isStopping) {
      log.info(inLog(done), 'retention stops, and goes on at the next start')
      return
    }
    const { leads, consents } = done
    const bytes = await retention.wipe()
    log.info({ leads, consents, bytes }, 'retention erased the expired leads')
  }
}

/** Leads received before are done. */
const inLog = ({ leads, consents, reached }: PurgeProgress) => ({
  leads,
  consents,
  ...(reached === undefined ? {} : { receivedBefore: new Date(reached).toISOString() }),
})

export interface PurgeProgress {
  readonly leads: number
  readonly consents: number
  /** Epoch milliseconds: leads received before then are done; undefined at first. */
  readonly reached: number | undefined
}

interface PurgePace {
  /** Epoch milliseconds. */
  readonly now: number
  /** Leaves the store to others for so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>
}

/** The pause between two searches without a result, in milliseconds: reading delays no writer. */
const searchPauseMs = 10

/**
 * Purges expired leads at a pace that visitors don't notice, and reports its progress. Any number of processes may do so at
 * once. A caller that stops listening stops it; the next purge finds the rest.
 */
export async function* purgeExpired(
  retention: LeadRetention,
  limits: RetentionLimits,
  { now, pause }: PurgePace,
): AsyncGenerator<PurgeProgress> {
  const throttle = new AdaptiveThrottle()
  let done: PurgeProgress = { leads: 0, consents: 0, reached: undefined }
  let found = await retention.find(limits, undefined)
  while (found.end !== undefined) {
    for (let begin = 0; begin < found.ids.length; ) {
      const ids = found.ids.slice(begin, begin + throttle.next(found.ids.length - begin))
      const startedAt = performance.now()
      const { leads, consents } = await retention.purge({ ids, limits, now })
      const wait = throttle.took(performance.now() - startedAt, ids.length)
      begin += ids.length
      done = { ...done, leads: done.leads + leads, consents: done.consents + consents }
      yield done
      await pause(wait)
    }
    done = { ...done, reached: found.end.receivedAt }
    yield done
    await pause(searchPauseMs)
    found = await retention.find(limits, found.end)
  }
}
