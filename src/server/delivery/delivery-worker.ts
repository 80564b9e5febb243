import type { Logger } from 'pino'
import type { BreakerMode } from '#domain/delivery/breaker.ts'
import { minLeaseShareLeft } from '#domain/delivery/delivery.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import type { ClaimedDelivery, ClaimedItem, UnreadableDelivery } from './claim-deliveries.ts'
import {
  type CompletedAttempt,
  type Deliver,
  type NotableOutcome,
  retryUntil,
} from './deliver-leads.ts'
import type { DeliveryBreaker } from './delivery-breaker.ts'
import type { WorkQueue } from './delivery-queue.ts'

export interface DeliveryWorkerDependencies<Item extends ClaimedItem = ClaimedDelivery> {
  readonly queue: WorkQueue<Item>
  readonly breaker: Pick<DeliveryBreaker, 'start' | 'mode' | 'isClosed'>
  readonly deliverLead: Deliver<Item>
  readonly clock: () => number
  readonly log: Logger
  /** Logs failures of the store, at a limited rate. */
  readonly storeFailureLog: LoopFailureLog
  readonly onAttempt: (attempted: CompletedAttempt<Item>) => void
  readonly logAttempt?: typeof logAttempt
}

export interface WorkerSettings {
  /** The most calls to the distributor at once. */
  readonly concurrency: number
  /** In milliseconds. */
  readonly lease: number
  /** How often to look for due deliveries that no wake-up announced, such as retries. Milliseconds. */
  readonly pollEvery: number
  /** The school's time zone, for caps; UTC if it is missing. */
  readonly zone?: string
}

/** How much work to claim ahead, in milliseconds: long enough to cover the next claim, short enough that little is returned or lost. */
const prefetchWindowMs = 100

/** The most deliveries to claim ahead, as a multiple of the concurrency. */
const maxRounds = 8

/** The most deliveries per claim: each lost lease takes eight parameters, and SQLite allows 32,766 per statement. */
const maxAtOnce = 1000

/** The most unrecorded attempts before sending stops, as a multiple of the concurrency. */
const maxUnrecorded = 8

/** The weight of a new measurement in the moving average. */
const smoothingFactor = 0.1

/** Claims due deliveries shortly before they are needed, and attempts each one. */
export class DeliveryWorker<Item extends ClaimedItem = ClaimedDelivery> {
  readonly #dependencies: DeliveryWorkerDependencies<Item>
  readonly #settings: WorkerSettings
  readonly #loop: PollingLoop
  readonly #abort = new AbortController()
  /** Claimed deliveries whose call has not started, oldest first. */
  #claimedAhead: Item[] = []
  /** The running deliveries by id, from the start of the call until the attempt is recorded. */
  readonly #underWay = new Map<string, Promise<void>>()
  #calls = 0
  /** The average duration of a call, in milliseconds; the initial value assumes slow calls. */
  #callMs = prefetchWindowMs
  /** False after a claim found fewer deliveries than it asked for, until a wake-up, a poll or a return of leases. */
  #mayFindMore = true
  /** When to look for deliveries that no wake-up announced, on the monotonic clock. */
  #pollAt = 0

  constructor(dependencies: DeliveryWorkerDependencies<Item>, settings: WorkerSettings) {
    this.#dependencies = dependencies
    this.#settings = settings
    const loopSettings = {
      failureLog: dependencies.storeFailureLog,
      againAfter: settings.pollEvery,
    }
    this.#loop = new PollingLoop(() => this.#runRound(), loopSettings)
  }

  async start(): Promise<void> {
    await this.#dependencies.breaker.start()
    this.#loop.start()
  }

  /** Wakes the loop because a delivery may be due, unless the breaker is open and no delivery may be sent. */
  wake(): void {
    this.#mayFindMore = true
    if (this.#dependencies.breaker.isClosed()) this.#loop.wake()
  }

  /** Stops claiming, waits at most `graceMs` milliseconds for calls in progress, and aborts the rest. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stop()
    await this.#giveBack(this.#claimedAhead.splice(0))
    const cutOff = setTimeout(() => this.#abort.abort(), graceMs)
    await Promise.all([...this.#underWay.values(), this.#returnLeases()])
    // The last attempts may also have left leases to return.
    await this.#returnLeases()
    clearTimeout(cutOff)
  }

  /**
   * Retries until this process has returned all leases. Unreturned leases expire after the grace period, and another
   * process then counts their deliveries as sent.
   */
  async #returnLeases(): Promise<void> {
    const { queue, clock, storeFailureLog } = this.#dependencies
    const act = async () => (await queue.returnLeases(clock())) || undefined
    const onFailed = (error: unknown) => storeFailureLog.failed(error)
    await retryUntil(act, { signal: this.#abort.signal, onFailed }).catch(() => undefined)
  }

  /**
   * Makes one round of the loop. @returns the milliseconds until the next round: until the next probe is due, and at
   * most until the next poll
   */
  async #runRound(): Promise<number> {
    const { breaker, clock } = this.#dependencies
    const { pollEvery } = this.#settings
    if (performance.now() >= this.#pollAt) {
      this.#mayFindMore = true
      this.#pollAt = performance.now() + pollEvery
    }
    const mode = await breaker.mode()
    if (mode.kind === 'closed') await this.#claimAhead()
    else await this.#sendDueProbe(mode)
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
      const [free, waiting, callMs] = [this.#freeSlots(), this.#claimedAhead.length, this.#callMs]
      const limit = findClaimLimit({ free, concurrency, waiting, callMs })
      if (limit === 0) return
      // A wake-up during the claim may announce more deliveries than the claim finds, and sets `#mayFindMore` again.
      this.#mayFindMore = false
      const claimed = await this.#dependencies.queue.claimDue({ ...this.#lease(), limit })
      if (claimed.length === limit) this.#mayFindMore = true
      this.#claimedAhead.push(...claimed)
      this.#beginNext()
    }
  }

  /** While the breaker is not closed: returns the deliveries claimed ahead, and sends a probe when one is due. */
  async #sendDueProbe(mode: Exclude<BreakerMode, { kind: 'closed' }>): Promise<void> {
    await this.#giveBack(this.#claimedAhead.splice(0))
    const { queue, clock } = this.#dependencies
    if (mode.kind === 'open' || mode.at > clock() || this.#freeSlots() === 0) return
    const probe = await queue.claimProbe(this.#lease())
    if (probe !== undefined) this.#begin(probe)
  }

  #lease() {
    const { clock, log } = this.#dependencies
    const now = clock()
    const onUnreadable = (claim: UnreadableDelivery) => {
      logUnreadable(log, claim)
      // An unreadable lead counts toward the claim's limit, so more deliveries may be due.
      this.#mayFindMore = true
    }
    // A held delivery counts toward the claim's limit, too.
    const onHeld = () => {
      this.#mayFindMore = true
    }
    const { lease, zone } = this.#settings
    return { now, leaseUntil: now + lease, zone, onUnreadable, onHeld }
  }

  #beginNext(): void {
    const { breaker, clock } = this.#dependencies
    while (this.#freeSlots() > 0 && !this.#loop.isStopping && breaker.isClosed()) {
      const delivery = this.#claimedAhead.shift()
      if (delivery === undefined) return
      const remaining = (delivery.leasedUntil - clock()) / this.#settings.lease
      if (remaining >= minLeaseShareLeft) this.#begin(delivery)
      else void this.#giveBack([delivery])
    }
  }

  #begin(delivery: Item): void {
    // The clock has jumped: the lease seemed to have ended, but this process is still sending the delivery.
    if (this.#underWay.has(delivery.id)) return
    const delivered = this.#deliver(delivery).finally(() => {
      this.#underWay.delete(delivery.id)
      this.#continue()
    })
    this.#underWay.set(delivery.id, delivered)
  }

  /** Never rejects: a delivery that fails is claimed again when its lease ends. */
  async #deliver(delivery: Item): Promise<void> {
    const { deliverLead, log, storeFailureLog, onAttempt } = this.#dependencies
    const write = this.#dependencies.logAttempt ?? logAttempt
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
    this.#continue()
    try {
      const leadOutcome = await deliverLead.record(attempted, signal)
      storeFailureLog.succeeded()
      if (attempted.outcome.name !== 'not-made') onAttempt(attempted)
      write(log, attempted, leadOutcome)
    } catch (error) {
      storeFailureLog.failed(error)
      log.error(
        { leadId },
        'delivery attempt not recorded: the lead is claimed again when its lease ends',
      )
    }
  }

  #continue(): void {
    this.#beginNext()
    this.#loop.wake()
  }

  async #giveBack(deliveries: readonly Item[]): Promise<void> {
    if (deliveries.length === 0) return
    const { queue, storeFailureLog } = this.#dependencies
    this.#mayFindMore = true
    // If the release fails, the next claim returns the leases.
    await queue.release(deliveries).catch((error: unknown) => storeFailureLog.failed(error))
  }
}

interface Claiming {
  /** How many more calls may start now, and how many calls may run at once. */
  readonly free: number
  readonly concurrency: number
  readonly waiting: number
  readonly callMs: number
}

/** How many deliveries to claim now: 0 while at least half of the target is claimed already. */
export function findClaimLimit({ free, concurrency, waiting, callMs }: Claiming): number {
  const rounds = Math.min(maxRounds, Math.floor(prefetchWindowMs / callMs))
  const target = free + rounds * concurrency
  const missing = target - waiting
  return missing * 2 > target ? Math.min(missing, maxAtOnce) : 0
}

/** Logs an attempt's outcome, with the lead's id and no personal data, and warns if the lead died. */
export function logAttempt(
  log: Logger,
  attempted: CompletedAttempt<ClaimedItem>,
  leadOutcome: NotableOutcome | undefined,
): void {
  const { delivery, outcome } = attempted
  const { id: leadId } = delivery.lead
  const isMade = outcome.name !== 'not-made'
  log.info({ leadId, ...outcome }, isMade ? 'delivery attempted' : 'delivery not attempted')
  if (leadOutcome === undefined) return
  const attempts = delivery.attemptsBefore + (isMade ? 1 : 0)
  log.warn(
    { leadId, attempts, ...outcome },
    'a lead is dead: every attempt of its retry schedule failed; an operator must act',
  )
}

export const logUnreadable = (log: Logger, { leadId, parts }: UnreadableDelivery): void =>
  log.warn(
    { leadId, parts, reason: 'unreadable' },
    'a lead is dead: its stored data cannot be read; an operator must act',
  )
