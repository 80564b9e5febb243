import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { BreakerMode } from '#domain/delivery/breaker.ts'
import { leastLeaseLeft } from '#domain/delivery/delivery.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import { WakeUp } from '#server/platform/polling-loop.ts'
import type { ClaimedDelivery, UnreadableClaim } from './claim-deliveries.ts'
import type { Attempted, DeliverLead, Fate } from './deliver-leads.ts'
import type { DeliveryBreaker } from './delivery-breaker.ts'
import type { DeliveryQueue } from './delivery-queue.ts'

export interface DeliveryWorkerParts {
  readonly queue: DeliveryQueue
  readonly breaker: Pick<DeliveryBreaker, 'start' | 'mode' | 'isClosed'>
  readonly deliverLead: DeliverLead
  readonly clock: () => number
  readonly log: Logger
  /** The store's, which is logged seldom. */
  readonly storeFailureLog: Pick<FailureLog, 'failed' | 'succeeded'>
  readonly onAttempt: (attempted: Attempted) => void
}

export interface WorkerSettings {
  /** Calls of the distributor at once. */
  readonly concurrency: number
  /** Milliseconds. */
  readonly lease: number
  /** How often to look for due deliveries that no wake-up announced (a retry, another process's lead), in milliseconds. */
  readonly pollEvery: number
}

/** The delivery loop: claims due deliveries a little ahead of need, attempts each, and starts over. */
export class DeliveryWorker {
  readonly #parts: DeliveryWorkerParts
  readonly #settings: WorkerSettings
  readonly #ahead: PrefetchBuffer
  readonly #wakeUp = new WakeUp()
  readonly #logUnreadable: (claim: UnreadableClaim) => void
  readonly #slots: ConcurrencyLimiter
  readonly #abort = new AbortController()
  /** False once a claim has found less than it asked for, until something happens. */
  #mayFindMore = true
  #isStopping = false
  #loop: Promise<void> | undefined

  constructor(ports: DeliveryWorkerParts, settings: WorkerSettings) {
    this.#parts = ports
    this.#settings = settings
    this.#ahead = new PrefetchBuffer(settings.concurrency)
    this.#slots = new ConcurrencyLimiter(settings.concurrency)
    this.#logUnreadable = makeLogUnreadable(ports.log)
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Wakes the loop, as a delivery may be due now. An open breaker ignores it: many may come, and none may go out. */
  wake(): void {
    this.#mayFindMore = true
    if (this.#parts.breaker.isClosed()) this.#wakeUp.signal()
  }

  /** Claims no more, lets attempts under way finish for `graceMs` (milliseconds), and cuts the rest off. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#wakeUp.signal()
    await this.#loop
    const cutOff = setTimeout(() => this.#abort.abort(), graceMs)
    const { queue, clock, storeFailureLog } = this.#parts
    // No claim follows that would give leases back first, so they are given back now.
    const onNotReturned = (error: unknown) => storeFailureLog.failed(error)
    const { signal } = this.#abort
    const giveBack = () => returnLeasesWithRetry(queue, { clock, signal, onNotReturned })
    await Promise.all([this.#slots.allRecorded(), giveBack()])
    // Once more, for the leases of the last attempts.
    await giveBack()
    clearTimeout(cutOff)
  }

  async #run(): Promise<void> {
    const { breaker, storeFailureLog } = this.#parts
    await breaker.start()
    while (!this.#isStopping) {
      const mode = await breaker.mode()
      await this.#act(mode).catch((error: unknown) => storeFailureLog.failed(error))
      const isWoken = await this.#wakeUp.within(this.#untilNextLook(mode))
      // Deliveries that nothing announced are found by looking.
      if (!isWoken) this.#mayFindMore = true
    }
    await this.#giveBack(this.#ahead.takeAll())
  }

  #act(mode: BreakerMode): Promise<void> {
    return mode.kind === 'closed' ? this.#claimAhead() : this.#keepToProbes(mode)
  }

  /** Until the next probe's time, at most until the next look: a probe that found no lead waits for one. */
  #untilNextLook(mode: BreakerMode): number {
    const { pollEvery } = this.#settings
    const untilProbe = mode.kind === 'half-open' ? mode.at - this.#parts.clock() : 0
    return untilProbe > 0 ? Math.min(untilProbe, pollEvery) : pollEvery
  }

  async #claimAhead(): Promise<void> {
    this.#beginNext()
    while (this.#mayFindMore && !this.#isStopping) {
      const limit = this.#ahead.wanted(this.#slots.free())
      if (limit === 0) return
      // Before the claim: a wake-up that comes meanwhile may be for more than is found.
      this.#mayFindMore = false
      const claimed = await this.#parts.queue.claimDue({ ...this.#lease(), limit })
      if (claimed.length === limit) this.#mayFindMore = true
      this.#ahead.add(claimed)
      this.#beginNext()
    }
  }

  /** While the breaker is not closed: gives back what was claimed ahead, and sends one probe at its time. */
  async #keepToProbes(mode: Exclude<BreakerMode, { kind: 'closed' }>): Promise<void> {
    await this.#giveBack(this.#ahead.takeAll())
    const { queue, clock } = this.#parts
    if (mode.kind === 'open' || mode.at > clock() || this.#slots.free() === 0) return
    const probe = await queue.claimProbe(this.#lease())
    if (probe !== undefined) this.#begin(probe)
  }

  #lease() {
    const now = this.#parts.clock()
    const onUnreadable = (claim: UnreadableClaim) => {
      this.#logUnreadable(claim)
      // It took the place of a delivery that the claim asked for.
      this.#mayFindMore = true
    }
    return { now, leaseUntil: now + this.#settings.lease, onUnreadable }
  }

  #beginNext(): void {
    const { breaker, clock } = this.#parts
    while (this.#slots.free() > 0 && !this.#isStopping && breaker.isClosed()) {
      const delivery = this.#ahead.next()
      if (delivery === undefined) return
      const remaining = (delivery.leasedUntil - clock()) / this.#settings.lease
      if (remaining >= leastLeaseLeft) this.#begin(delivery)
      else void this.#giveBack([delivery])
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    // The clock has jumped, so its lease seemed to have ended, but it is still being sent.
    if (this.#slots.holds(delivery.id)) return
    const delivered = this.#deliver(delivery)
      // The delivery is claimed again when its lease ends.
      .catch((error: unknown) => {
        const { log } = this.#parts
        log.error({ leadId: delivery.lead.id, err: error }, 'delivery attempt failed')
      })
    this.#slots.hold(delivery.id, delivered)
    void delivered.then(() => this.#goOn())
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { deliverLead, log, storeFailureLog, onAttempt } = this.#parts
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
      logAttempt(log, attempted, fate)
    } catch (error) {
      storeFailureLog.failed(error)
      log.error(
        { leadId },
        'delivery attempt not recorded: the lead is claimed again when its lease ends',
      )
    }
  }

  #goOn(): void {
    this.#beginNext()
    this.#wakeUp.signal()
  }

  async #giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const { queue, storeFailureLog } = this.#parts
    this.#mayFindMore = true
    // The next claim gives them back.
    await queue.release(deliveries).catch((error: unknown) => storeFailureLog.failed(error))
  }
}

/** How much work is claimed ahead, in milliseconds: enough to cover a claim, and little to give back or lose. */
const aheadMs = 100

/** How many rounds of all slots are claimed ahead at most. */
const mostRounds = 8

/** A claim writes an attempt of eight parameters for each lost lease, and an SQLite statement carries 32,766. */
const mostAtOnce = 1000

/** The weight of a new attempt in the mean. */
const weight = 0.1

/** Deliveries that this worker holds the leases of and has not begun, oldest first. */
export class PrefetchBuffer {
  readonly #concurrency: number
  #waiting: ClaimedDelivery[] = []
  /** A mean; assumed slow until it is measured. */
  #attemptMs = aheadMs

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** How many to claim now; 0 while the buffer is at least half full. */
  wanted(freeSlots: number): number {
    const rounds = Math.min(mostRounds, Math.floor(aheadMs / this.#attemptMs))
    const target = freeSlots + rounds * this.#concurrency
    const missing = target - this.#waiting.length
    return missing * 2 > target ? Math.min(missing, mostAtOnce) : 0
  }

  add(claimed: readonly ClaimedDelivery[]): void {
    this.#waiting.push(...claimed)
  }

  next(): ClaimedDelivery | undefined {
    return this.#waiting.shift()
  }

  takeAll(): readonly ClaimedDelivery[] {
    return this.#waiting.splice(0)
  }

  /** Records how long an attempt held its slot, in milliseconds. */
  took(attemptMs: number): void {
    this.#attemptMs += (attemptMs - this.#attemptMs) * weight
  }
}

/** Rounds of all slots whose answers may be unrecorded: a store that is away stops the sending, too. */
const mostUnrecorded = 8

/** Limits the calls of the distributor at once, and the answers that are not recorded yet. */
export class ConcurrencyLimiter {
  readonly #concurrency: number
  /** Deliveries from the begin of their call until they are recorded. */
  readonly #underWay = new Map<string, Promise<void>>()
  #calls = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  free(): number {
    return Math.min(
      this.#concurrency - this.#calls,
      this.#concurrency * mostUnrecorded - this.#underWay.size,
    )
  }

  holds(id: string): boolean {
    return this.#underWay.has(id)
  }

  /** @param delivery never rejects */
  hold(id: string, delivery: Promise<void>): void {
    this.#underWay.set(
      id,
      delivery.finally(() => this.#underWay.delete(id)),
    )
  }

  async call<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    this.#calls++
    return make().finally(() => {
      this.#calls--
    })
  }

  async allRecorded(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }
}

interface SureReturn {
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Ends the retries: the leases then end by themselves. */
  readonly signal: AbortSignal
  readonly onNotReturned: (error: unknown) => void
  /** Milliseconds between two tries. */
  readonly pauseMs?: number
}

/** Tries until this process holds no lease without knowing: another process would count such a delivery as sent. */
export async function returnLeasesWithRetry(
  queue: Pick<DeliveryQueue, 'returnLeases'>,
  { clock, signal, onNotReturned, pauseMs = 500 }: SureReturn,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await queue.returnLeases(clock())) return
    } catch (error) {
      onNotReturned(error)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

const fates: Readonly<Record<Fate, string>> = {
  died: 'a lead is dead: every attempt of its retry schedule failed; an operator decides',
  recovered: 'a lead is delivered after more failures than its retry schedule has attempts',
}

/** Logs an attempt's outcome and what an operator should know of the lead: its id and figures, no personal data. */
export function logAttempt(log: Logger, attempted: Attempted, fate: Fate | undefined): void {
  const { delivery, outcome } = attempted
  const { id: leadId } = delivery.lead
  const isMade = outcome.name !== 'not-made'
  log.info({ leadId, ...outcome }, isMade ? 'delivery attempted' : 'delivery not attempted')
  if (fate === undefined) return
  const attempts = delivery.attemptsBefore + (isMade ? 1 : 0)
  log.warn({ leadId, attempts, ...outcome }, fates[fate])
}

/** Logs each unreadable lead once, by its id and the names of the damaged parts. */
export function makeLogUnreadable(log: Logger): (claim: UnreadableClaim) => void {
  /** Leads of a newer release come again when their lease would have ended, until a newer worker claims them. */
  const left = new Set<string>()
  return ({ leadId, parts, isNewer }) => {
    const about = { leadId, parts, reason: 'unreadable' }
    if (!isNewer) {
      log.warn(about, 'a lead is dead: its stored data cannot be read; an operator decides')
    } else if (!left.has(leadId)) {
      left.add(leadId)
      log.warn(
        about,
        'a lead waits: a newer release wrote it, and only a worker of that release can send it',
      )
    }
  }
}
