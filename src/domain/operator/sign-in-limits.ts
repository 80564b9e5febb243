/** Slows down password guessing without locking anybody out. Times are in milliseconds. */
export interface BackoffPolicy {
  /** The number of attempts without a wait, since people mistype. */
  readonly free: number
  readonly maxWait: number
}

/** The limit of an account: at most 2,880 guesses a day. */
export const accountBackoff: BackoffPolicy = { free: 5, maxWait: 30_000 }

/** The limit of a network, which a whole office may share. */
export const networkBackoff: BackoffPolicy = { free: 20, maxWait: 5 * 60_000 }

/** The limit of a browser that has signed in before. Somebody who steals the browser's cookie has 288 guesses a day. */
export const browserBackoff: BackoffPolicy = { free: 5, maxWait: 5 * 60_000 }

/** The limit of changes to an operator's own account, because the audit log keeps each change forever. */
export const ownActionBackoff: BackoffPolicy = { free: 100, maxWait: 60_000 }

/** Failed sign-ins are forgotten after this time without another failure. */
export const failureLifetimeMs = 60 * 60_000

/** Returns the wait before the next attempt, by the number of failed attempts. */
export const findBackoffDelay = (failures: number, { free, maxWait }: BackoffPolicy): number =>
  failures < free ? 0 : Math.min(1000 * 2 ** (failures - free), maxWait)
