import type { Logger } from 'pino'
import type { BreakerMode } from '#domain/delivery/breaker.ts'
import { minLeaseShareLeft } from '#domain/delivery/delivery.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import type { ClaimedDelivery, UnreadableClaim } from './claim-deliveries.ts'
import {
  type Attempted,
  type DeliverLead,
  type RestoredLeadOutcome,
  retryUntil,
} from './deliver-leads.ts'
import type { DeliveryBreaker } from './delivery-breaker.ts'
import type { DeliveryQueue } from './delivery-queue.ts'

export interface DeliveryWorkerParts {
  readonly queue: DeliveryQueue
  readonly breaker: Pick<DeliveryBreaker, 'start' | 'mode' | 'isClosed'>
  readonly deliverLead: DeliverLead
  readonly clock: () => number
  readonly log: Logger
  /** The store's, which is logged seldom. */
  readonly storeFailureLog: LoopFailureLog
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

/** How much work is claimed ahead, in milliseconds: enough to cover a claim, and little to give back or lose. */
const prefetchWindowMs = 100

/** How many rounds of all slots are claimed ahead at most. */
const maxRounds = 8

/** A claim writes an attempt of eight parameters for each lost lease, and an SQLite statement carries 32,766. */
const maxAtOnce = 1000

/** Rounds of all slots whose answers may be unrecorded: a store that is away stops the sending, too. */
const maxUnrecorded = 8

/** The weight of a new attempt in the mean. */
const smoothingFactor = 0.1

/** The delivery loop: claims due deliveries a little ahead of need, attempts each, and starts over. */
export class DeliveryWorker {
  readonly #parts: DeliveryWorkerParts
  readonly #settings: WorkerSettings
  readonly #loop: PollingLoop
  readonly #logUnreadable: (claim: UnreadableClaim) => void
  readonly #abort = new AbortController()
  /** Claimed and not begun, oldest first. */
  #ahead: ClaimedDelivery[] = []
  /** By delivery, from the start of the call until the attempt is recorded. */
  readonly #underWay = new Map<string, Promise<void>>()
  #calls = 0
  /** A mean, in milliseconds; assumed slow until it is measured. */
  #callMs = prefetchWindowMs
  /** False once a claim has found less than it asked for, until something happens. */
  #mayFindMore = true
  /** When deliveries that nothing announced are looked for, on the monotonic clock. */
  #pollAt = 0

  constructor(parts: DeliveryWorkerParts, settings: WorkerSettings) {
    this.#parts = parts
    this.#settings = settings
    this.#logUnreadable = makeLogUnreadable(parts.log)
    const failing = { failureLog: parts.storeFailureLog, againAfter: settings.pollEvery }
    this.#loop = new PollingLoop(() => this.#work(), failing)
  }

  async start(): Promise<void> {
    await this.#parts.breaker.start()
    this.#loop.start()
  }

  /** Wakes the loop, as a delivery may be due now. An open breaker ignores it: many may come, and none may go out. */
  wake(): void {
    this.#mayFindMore = true
    if (this.#parts.breaker.isClosed()) this.#loop.wake()
  }

  /** Claims no more, lets attempts under way finish for `graceMs` (milliseconds), and cuts the rest off. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stop()
    await this.#giveBack(this.#ahead.splice(0))
    const cutOff = setTimeout(() => this.#abort.abort(), graceMs)
    await Promise.all([...this.#underWay.values(), this.#returnLeases()])
    // Once more, for the leases of the last attempts.
    await this.#returnLeases()
    clearTimeout(cutOff)
  }

  /**
   * Retries until this process holds no lease without knowing: no claim follows that would give it back, and another process
   * would count such a delivery as sent. After the grace period the leases end by themselves.
   */
  async #returnLeases(): Promise<void> {
    const { queue, clock, storeFailureLog } = this.#parts
    const act = async () => (await queue.returnLeases(clock())) || undefined
    const onFailed = (error: unknown) => storeFailureLog.failed(error)
    await retryUntil(act, { signal: this.#abort.signal, onFailed }).catch(() => undefined)
  }

  /** @returns the milliseconds until the next probe's time, at most until the next poll: a probe that found no lead waits */
  async #work(): Promise<number> {
    const { breaker, clock } = this.#parts
    const { pollEvery } = this.#settings
    if (performance.now() >= this.#pollAt) {
      this.#mayFindMore = true
      this.#pollAt = performance.now() + pollEvery
    }
    const mode = await breaker.mode()
    if (mode.kind === 'closed') await this.#claimAhead()
    else await this.#keepToProbes(mode)
    const untilProbe = mode.kind === 'half-open' ? mode.at - clock() : 0
    return untilProbe > 0 ? Math.min(untilProbe, pollEvery) : pollEvery
  }

  #freeSlots(): number {
    const { concurrency } = this.#settings
    const unrecorded = concurrency * maxUnrecorded - this.#underWay.size
    return Math.min(concurrency - this.#calls, unrecorded)
  }

  async #claimAhead(): Promise<void> {
    const { concurrency } = this.#settings
    this.#beginNext()
    while (this.#mayFindMore && !this.#loop.isStopping) {
      const [free, waiting, callMs] = [this.#freeSlots(), this.#ahead.length, this.#callMs]
      const limit = claimLimit({ free, concurrency, waiting, callMs })
      if (limit === 0) return
      // Before the claim: a wake-up that comes meanwhile may be for more than is found.
      this.#mayFindMore = false
      const claimed = await this.#parts.queue.claimDue({ ...this.#lease(), limit })
      if (claimed.length === limit) this.#mayFindMore = true
      this.#ahead.push(...claimed)
      this.#beginNext()
    }
  }

  /** While the breaker is not closed: gives back what was claimed ahead, and sends one probe at its time. */
  async #keepToProbes(mode: Exclude<BreakerMode, { kind: 'closed' }>): Promise<void> {
    await this.#giveBack(this.#ahead.splice(0))
    const { queue, clock } = this.#parts
    if (mode.kind === 'open' || mode.at > clock() || this.#freeSlots() === 0) return
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
    while (this.#freeSlots() > 0 && !this.#loop.isStopping && breaker.isClosed()) {
      const delivery = this.#ahead.shift()
      if (delivery === undefined) return
      const remaining = (delivery.leasedUntil - clock()) / this.#settings.lease
      if (remaining >= minLeaseShareLeft) this.#begin(delivery)
      else void this.#giveBack([delivery])
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    // The clock has jumped, so its lease seemed to have ended, but it is still being sent.
    if (this.#underWay.has(delivery.id)) return
    const delivered = this.#deliver(delivery).finally(() => {
      this.#underWay.delete(delivery.id)
      this.#goOn()
    })
    this.#underWay.set(delivery.id, delivered)
  }

  /** Never rejects: a delivery that fails is claimed again when its lease ends. */
  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { deliverLead, log, storeFailureLog, onAttempt } = this.#parts
    const { id: leadId } = delivery.lead
    const { signal } = this.#abort
    const begunAt = performance.now()
    this.#calls++
    const attempted = await deliverLead
      .attempt(delivery, signal)
      .catch((error: unknown) => log.error({ leadId, err: error }, 'delivery attempt failed'))
    this.#calls--
    this.#callMs += (performance.now() - begunAt - this.#callMs) * smoothingFactor
    if (!attempted) return
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
    this.#loop.wake()
  }

  async #giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const { queue, storeFailureLog } = this.#parts
    this.#mayFindMore = true
    // The next claim gives them back.
    await queue.release(deliveries).catch((error: unknown) => storeFailureLog.failed(error))
  }
}

interface Claiming {
  /** Slots for calls, and all of them. */
  readonly free: number
  readonly concurrency: number
  /** Deliveries that are claimed already. */
  readonly waiting: number
  /** How long a call takes, in milliseconds. */
  readonly callMs: number
}

/** How many deliveries to claim now; 0 while at least half of those to be claimed ahead are waiting. */
export function claimLimit({ free, concurrency, waiting, callMs }: Claiming): number {
  const rounds = Math.min(maxRounds, Math.floor(prefetchWindowMs / callMs))
  const target = free + rounds * concurrency
  const missing = target - waiting
  return missing * 2 > target ? Math.min(missing, maxAtOnce) : 0
}

const restoredLeadMessages: Readonly<Record<RestoredLeadOutcome, string>> = {
  died: 'a lead is dead: every attempt of its retry schedule failed; an operator decides',
  recovered: 'a lead is delivered after more failures than its retry schedule has attempts',
}

/** Logs an attempt's outcome and what an operator should know of the lead: its id and figures, no personal data. */
export function logAttempt(
  log: Logger,
  attempted: Attempted,
  fate: RestoredLeadOutcome | undefined,
): void {
  const { delivery, outcome } = attempted
  const { id: leadId } = delivery.lead
  const isMade = outcome.name !== 'not-made'
  log.info({ leadId, ...outcome }, isMade ? 'delivery attempted' : 'delivery not attempted')
  if (fate === undefined) return
  const attempts = delivery.attemptsBefore + (isMade ? 1 : 0)
  log.warn({ leadId, attempts, ...outcome }, restoredLeadMessages[fate])
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
