/** Slows guessing down without locking anybody out. Times are milliseconds. */
export interface BackoffPolicy {
  /** Attempts without a wait, since people mistype. */
  readonly free: number
  /** The longest wait. */
  readonly maxWait: number
}

/** At most 2,880 guesses a day. */
export const accountLimit: BackoffPolicy = { free: 5, maxWait: 30_000 }

/** An office shares one network. */
export const networkLimit: BackoffPolicy = { free: 20, maxWait: 5 * 60_000 }

/** For a browser that has signed in before. Somebody who steals its cookie has 288 guesses a day. */
export const browserLimit: BackoffPolicy = { free: 5, maxWait: 5 * 60_000 }

/** For changes to one's own account, which the audit log keeps for good. */
export const ownActionLimit: BackoffPolicy = { free: 100, maxWait: 60_000 }

/** Failures are forgotten after this time without another one. */
export const attemptsForgottenAfter = 60 * 60_000

/** The wait before the next attempt, by the number of failed ones. */
export const delayAfterFailures = (
  failures: number,
  { free, maxWait: mostWait }: BackoffPolicy,
): number => (failures < free ? 0 : Math.min(1000 * 2 ** (failures - free), mostWait))
