import type { Logger } from 'pino'
import { retentionLimits } from '#domain/lead/retention.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import { type LeadRetention, type Retained, retainLeads } from './retain-leads.ts'

export interface RetentionPorts {
  readonly retention: LeadRetention
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  /** Called when everything that was over its time has ended. */
  readonly onEnded: () => void
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const sayEveryMs = 60_000

/** Ends what is over its time: at the start and once a day, a little at a time. */
export class RetentionJob {
  readonly #ports: RetentionPorts
  readonly #days: number
  readonly #loop: PollingLoop

  /** @param days how long a lead's answers are kept */
  constructor(ports: RetentionPorts, days: number) {
    this.#ports = ports
    this.#days = days
    const { log } = ports
    this.#loop = new PollingLoop(
      async () => {
        await this.#retain()
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

  async #retain(): Promise<void> {
    const { retention, clock, log, onEnded } = this.#ports
    const now = clock()
    const pause = (ms: number) => this.#loop.pause(ms)
    let done: Retained = { leads: 0, consents: 0, reached: undefined }
    let saidAt: number | undefined
    for await (done of retainLeads(retention, retentionLimits(now, this.#days), { now, pause })) {
      if (this.#loop.isStopping) break
      if (done.leads + done.consents === 0) continue
      if (saidAt === undefined) {
        saidAt = performance.now()
        log.info({ olderThanDays: this.#days }, 'retention begins to erase')
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
    log.info({ leads, consents, bytes }, 'retention has erased what was over its time')
  }
}

/** What was received before is done. */
const inLog = ({ leads, consents, reached }: Retained) => ({
  leads,
  consents,
  ...(reached === undefined ? {} : { receivedBefore: new Date(reached).toISOString() }),
})
