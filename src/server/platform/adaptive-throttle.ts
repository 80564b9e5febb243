/**
 * While a batch runs on SQLite, enquiries wait for it: a batch should take no longer than this, in milliseconds. (A
 * hundred leads a batch, with 50 ms between, took a quarter of the time, and one enquiry in a hundred up to 1.2 s.)
 */
const maxMs = 4

/** The rest of the time belongs to others. When they slow a batch down, the next ones come less often, too. */
const usualShare = 0.1

/** Between two batches, however quick they are, in milliseconds. */
const minPauseMs = 25

const maxAtOnce = 64

/** Decides from the cost of earlier batches how much of a long job to do at once, and how long to pause then. */
export class AdaptiveThrottle {
  readonly #least: number
  readonly #share: number
  #size: number

  /**
   * @param least done at once however slow the store is, where the way to it takes longer than the work
   * @param share of the time, where somebody waits for the end of it
   */
  constructor(least = 1, share = usualShare) {
    this.#least = least
    this.#share = share
    this.#size = least
  }

  /** A power of two, as is each of them: a statement has as many forms as there are sizes. */
  next(left: number): number {
    return powerOfTwoWithin(Math.min(this.#size, left))
  }

  /** @returns how long to wait, in milliseconds */
  took(ms: number, count: number): number {
    if (ms > maxMs) this.#size = Math.max(this.#least, this.#size / 2)
    else if (ms < maxMs / 2 && count >= this.#size) {
      this.#size = Math.min(maxAtOnce, this.#size * 2)
    }
    return Math.max(minPauseMs, ms * (1 / this.#share - 1))
  }
}

const powerOfTwoWithin = (count: number): number => 2 ** Math.floor(Math.log2(count))
