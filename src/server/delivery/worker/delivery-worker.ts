import type { Logger } from 'pino'
import type { BreakerMode } from '#domain/delivery/breaker.ts'
import { leastLeaseLeft } from '#domain/delivery/shortest-lease.ts'
import { WakeUp } from '#server/platform/loops/wake-up.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import type { Attempted, DeliverLead } from '../deliver-leads.ts'
import type { DeliveryBreaker } from '../delivery-breaker.ts'
import type { ClaimedDelivery, DeliveryQueue, UnreadableClaim } from '../delivery-queue.ts'
import { returnSurely } from '../return-surely.ts'
import { ClaimedAhead } from './claimed-ahead.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { tellAttempt } from './tell-attempt.ts'
import { makeTellUnreadable } from './tell-unreadable.ts'

export interface WorkerPorts {
  readonly queue: DeliveryQueue
  readonly breaker: Pick<DeliveryBreaker, 'start' | 'mode' | 'isClosed'>
  readonly deliverLead: DeliverLead
  readonly clock: () => number
  readonly log: Logger
  /** The store's, which is told seldom. */
  readonly storeFailureLog: Pick<FailureLog, 'failed' | 'succeeded'>
  readonly onAttempt: (attempted: Attempted) => void
}

export interface WorkerSettings {
  /** Calls of the distributor at once. */
  readonly concurrency: number
  /** Milliseconds. */
  readonly lease: number
  /** How long to wait for a due delivery that nobody announced (a retry, another process's lead), in milliseconds. */
  readonly pollEvery: number
}

/** The delivery loop: claims what is due, a little ahead of need, tries it, and starts over. */
export class DeliveryWorker {
  readonly #ports: WorkerPorts
  readonly #settings: WorkerSettings
  readonly #ahead: ClaimedAhead
  readonly #wakeUp = new WakeUp()
  readonly #tellUnreadable: (claim: UnreadableClaim) => void
  readonly #slots: DeliverySlots
  readonly #abort = new AbortController()
  /** False once a claim has found less than it asked for, until something happens. */
  #mayFindMore = true
  #isStopping = false
  #loop: Promise<void> | undefined

  constructor(ports: WorkerPorts, settings: WorkerSettings) {
    this.#ports = ports
    this.#settings = settings
    this.#ahead = new ClaimedAhead(settings.concurrency)
    this.#slots = new DeliverySlots(settings.concurrency)
    this.#tellUnreadable = makeTellUnreadable(ports.log)
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Says that something may be due now. Behind an open breaker nothing can be done about it, and many may come. */
  wake(): void {
    this.#mayFindMore = true
    if (this.#ports.breaker.isClosed()) this.#wakeUp.signal()
  }

  /** Claims no more, lets what is under way finish for `graceMs`, and cuts the rest off. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#wakeUp.signal()
    await this.#loop
    const cutOff = setTimeout(() => this.#abort.abort(), graceMs)
    const { queue, clock, storeFailureLog } = this.#ports
    // It claims no more: what the next claim would give back first is given back now.
    const onNotReturned = (error: unknown) => storeFailureLog.failed(error)
    const { signal } = this.#abort
    const giveBack = () => returnSurely(queue, { clock, signal, onNotReturned })
    await Promise.all([this.#slots.allRecorded(), giveBack()])
    // What the last attempts could not give back.
    await giveBack()
    clearTimeout(cutOff)
  }

  async #run(): Promise<void> {
    const { breaker, storeFailureLog } = this.#ports
    await breaker.start()
    while (!this.#isStopping) {
      const mode = await breaker.mode()
      await this.#act(mode).catch((error: unknown) => storeFailureLog.failed(error))
      const isWoken = await this.#wakeUp.within(this.#untilNextLook(mode))
      // What nobody announces is found by looking.
      if (!isWoken) this.#mayFindMore = true
    }
    await this.#giveBack(this.#ahead.takeAll())
  }

  #act(mode: BreakerMode): Promise<void> {
    return mode.kind === 'closed' ? this.#claimAhead() : this.#keepToProbes(mode)
  }

  /** A probe goes at its time; one that found nobody to go with waits for somebody. */
  #untilNextLook(mode: BreakerMode): number {
    const { pollEvery } = this.#settings
    const untilProbe = mode.kind === 'half-open' ? mode.at - this.#ports.clock() : 0
    return untilProbe > 0 ? Math.min(untilProbe, pollEvery) : pollEvery
  }

  async #claimAhead(): Promise<void> {
    this.#beginNext()
    while (this.#mayFindMore && !this.#isStopping) {
      const limit = this.#ahead.wanted(this.#slots.free())
      if (limit === 0) return
      // Before the claim: a wake-up that comes meanwhile may be for more than is found.
      this.#mayFindMore = false
      const claimed = await this.#ports.queue.claimDue({ ...this.#lease(), limit })
      if (claimed.length === limit) this.#mayFindMore = true
      this.#ahead.add(claimed)
      this.#beginNext()
    }
  }

  /** The breaker is not closed: nothing that was claimed for later may go out, and one probe at its time. */
  async #keepToProbes(mode: Exclude<BreakerMode, { kind: 'closed' }>): Promise<void> {
    await this.#giveBack(this.#ahead.takeAll())
    const { queue, clock } = this.#ports
    if (mode.kind === 'open' || mode.at > clock() || this.#slots.free() === 0) return
    const probe = await queue.claimProbe(this.#lease())
    if (probe !== undefined) this.#begin(probe)
  }

  #lease() {
    const now = this.#ports.clock()
    const onUnreadable = (claim: UnreadableClaim) => {
      this.#tellUnreadable(claim)
      // It took a place of those that were asked for.
      this.#mayFindMore = true
    }
    return { now, leaseUntil: now + this.#settings.lease, onUnreadable }
  }

  #beginNext(): void {
    const { breaker, clock } = this.#ports
    while (this.#slots.free() > 0 && !this.#isStopping && breaker.isClosed()) {
      const delivery = this.#ahead.next()
      if (delivery === undefined) return
      const remaining = (delivery.leasedUntil - clock()) / this.#settings.lease
      if (remaining >= leastLeaseLeft) this.#begin(delivery)
      else void this.#giveBack([delivery])
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    // Its lease seemed to have ended, because the clock has jumped: it is still being sent.
    if (this.#slots.holds(delivery.id)) return
    const delivered = this.#deliver(delivery)
      // The lease brings the delivery back.
      .catch((error: unknown) => {
        const { log } = this.#ports
        log.error({ leadId: delivery.lead.id, err: error }, 'delivery attempt failed')
      })
    this.#slots.hold(delivery.id, delivered)
    void delivered.then(() => this.#goOn())
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { deliverLead, log, storeFailureLog, onAttempt } = this.#ports
    const { id: leadId } = delivery.lead
    const { signal } = this.#abort
    const begunAt = performance.now()
    const attempted = await this.#slots
      .call(() => deliverLead.attempt(delivery, signal))
      .finally(() => this.#ahead.took(performance.now() - begunAt))
    this.#goOn()
    try {
      const fate = await deliverLead.record(attempted, signal)
      storeFailureLog.succeeded()
      if (attempted.outcome.name !== 'not-made') onAttempt(attempted)
      tellAttempt(log, attempted, fate)
    } catch (error) {
      storeFailureLog.failed(error)
      log.error({ leadId }, 'delivery attempt not recorded: its lease brings it back')
    }
  }

  #goOn(): void {
    this.#beginNext()
    this.#wakeUp.signal()
  }

  async #giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const { queue, storeFailureLog } = this.#ports
    this.#mayFindMore = true
    // The next claim gives them back.
    await queue.release(deliveries).catch((error: unknown) => storeFailureLog.failed(error))
  }
}
