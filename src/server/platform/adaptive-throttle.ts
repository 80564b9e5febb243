/**
 * On SQLite, enquiries wait while a batch runs, so a batch should take at most this many milliseconds. (With batches of
 * 100 leads and pauses of 50 ms, jobs ran four times as fast, but 1 % of enquiries waited up to 1.2 s.)
 */
const maxMs = 4

/** The share of the time that a job may use; enquiries and deliveries get the rest. */
const defaultShare = 0.1

/** The shortest pause between two batches, in milliseconds. */
const minPauseMs = 25

const maxAtOnce = 64

/** Decides from the duration of earlier batches how large the next one is, and how long to pause after it. */
export class AdaptiveThrottle {
  readonly #least: number
  readonly #share: number
  #size: number

  /**
   * @param least the smallest batch, for stores where the round trip takes longer than the work
   * @param share of the time that the job may use; larger if somebody waits for its end
   */
  constructor(least = 1, share = defaultShare) {
    this.#least = least
    this.#share = share
    this.#size = least
  }

  next(left: number): number {
    return Math.floor(Math.min(this.#size, left))
  }

  /** @returns how long to pause before the next batch, in milliseconds */
  took(ms: number, count: number): number {
    if (ms > maxMs) this.#size = Math.max(this.#least, this.#size / 2)
    else if (ms < maxMs / 2 && count >= this.#size) {
      this.#size = Math.min(maxAtOnce, this.#size * 2)
    }
    return Math.max(minPauseMs, ms * (1 / this.#share - 1))
  }
}
