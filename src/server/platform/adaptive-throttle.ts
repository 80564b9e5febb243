/**
 * The longest time that a batch should take, in milliseconds, because enquiries wait for it on SQLite. With batches of
 * 100 leads and pauses of 50 ms, jobs ran four times as fast, but the slowest 1 % of enquiries waited up to 1.2 s.
 */
const maxMs = 4

/** The share of the store's time that a job may use; enquiries and deliveries get the rest. */
const defaultShare = 0.1

/** The shortest pause between two batches, in milliseconds. */
const minPauseMs = 25

const maxBatchSize = 64

export type AdaptiveThrottle = ReturnType<typeof makeAdaptiveThrottle>

/**
 * Makes a throttle, which derives each batch's size, and the pause after it, from the duration of earlier batches.
 * @param minBatchSize the smallest batch; larger for stores where a round trip takes longer than the work for a row
 * @param share the share of the time that the job may use; larger if somebody waits for the job to end
 */
export function makeAdaptiveThrottle(minBatchSize = 1, share = defaultShare) {
  let size = minBatchSize
  return {
    /** @param left the largest possible number of remaining rows */
    batchSize: (left: number): number => Math.floor(Math.min(size, left)),
    /** Adapts to a batch of `count` rows that took `ms` milliseconds. @returns the pause after it, in milliseconds */
    pauseAfter: (ms: number, count: number): number => {
      if (ms > maxMs) size = Math.max(minBatchSize, size / 2)
      else if (ms < maxMs / 2 && count >= size) size = Math.min(maxBatchSize, size * 2)
      return Math.max(minPauseMs, ms * (1 / share - 1))
    },
  }
}
