import type { Logger } from 'pino'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { ClaimedDelivery, DeliverLead, DeliveryQueue } from '../use-cases/deliver-leads.ts'
import { WakeUp } from './wake-up.ts'

export interface WorkerPorts {
  readonly queue: DeliveryQueue
  readonly deliverLead: DeliverLead
  readonly clock: () => number
  readonly log: Logger
  readonly onAttempt: (outcome: AttemptOutcome) => void
}

export interface WorkerSettings {
  /** Deliveries under way at once. */
  readonly concurrency: number
  /** Milliseconds. */
  readonly lease: number
  /** How long to wait for a due delivery that nobody announced (a retry, another process's lead), in milliseconds. */
  readonly pollEvery: number
}

/** The delivery loop: claims what is due, tries it, and starts over. */
export class DeliveryWorker {
  readonly #ports: WorkerPorts
  readonly #settings: WorkerSettings
  readonly #wakeUp = new WakeUp()
  readonly #underWay = new Set<Promise<void>>()
  readonly #abort = new AbortController()
  #isStopping = false
  #loop: Promise<void> | undefined

  constructor(ports: WorkerPorts, settings: WorkerSettings) {
    this.#ports = ports
    this.#settings = settings
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Says that something may be due now. */
  wake(): void {
    this.#wakeUp.signal()
  }

  /** Claims no more, lets what is under way finish for `graceMs`, and cuts the rest off. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#wakeUp.signal()
    await this.#loop
    const cutOff = setTimeout(() => this.#abort.abort(), graceMs)
    await Promise.all(this.#underWay)
    clearTimeout(cutOff)
  }

  async #run(): Promise<void> {
    const { concurrency, pollEvery } = this.#settings
    while (!this.#isStopping) {
      const free = concurrency - this.#underWay.size
      const claimed = free > 0 ? await this.#claim(free) : []
      for (const delivery of claimed) this.#begin(delivery)
      // A full claim may have left more behind; anything else can wait until something happens.
      if (claimed.length === 0 || this.#underWay.size >= concurrency) {
        await this.#wakeUp.within(pollEvery)
      }
    }
  }

  async #claim(limit: number): Promise<readonly ClaimedDelivery[]> {
    const { queue, clock, log } = this.#ports
    const now = clock()
    try {
      const leaseUntil = now + this.#settings.lease
      const claimed = await queue.claimDue({ now, leaseUntil, limit })
      if (!this.#isStopping) return claimed
      await queue.release(claimed, now)
    } catch (error) {
      log.error({ err: error }, 'deliveries could not be claimed; trying again')
    }
    return []
  }

  #begin(delivery: ClaimedDelivery): void {
    const { deliverLead, log, onAttempt } = this.#ports
    const attempt = deliverLead(delivery, this.#abort.signal)
      .then((outcome) => {
        onAttempt(outcome)
        log.info({ leadId: delivery.lead.id, ...outcome }, 'delivery attempted')
      })
      // The lease brings the delivery back.
      .catch((error: unknown) => {
        log.error({ leadId: delivery.lead.id, err: error }, 'delivery attempt not recorded')
      })
      .finally(() => {
        this.#underWay.delete(attempt)
        this.#wakeUp.signal()
      })
    this.#underWay.add(attempt)
  }
}
