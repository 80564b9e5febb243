import type { ClaimedDelivery } from '../delivery-queue.ts'

/** How much work is claimed ahead, in milliseconds: enough to cover a claim, and little to give back or to lose. */
const aheadMs = 100

/** How many rounds of all slots are claimed ahead at most. */
const mostRounds = 8

/** A claim writes an attempt for each that somebody lost, of eight parameters: a statement of SQLite carries 32,766. */
const mostAtOnce = 1000

/** What a new attempt weighs in the mean. */
const weight = 0.1

/** Deliveries that this worker holds the leases of and has not begun, oldest first. */
export class ClaimedAhead {
  readonly #concurrency: number
  #waiting: ClaimedDelivery[] = []
  /** A mean; slow until it is known. */
  #attemptMs = aheadMs

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** How many to claim now; 0 while half of what should wait is there. */
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

  /** An attempt has held its slot for so long, in milliseconds. */
  took(attemptMs: number): void {
    this.#attemptMs += (attemptMs - this.#attemptMs) * weight
  }
}
