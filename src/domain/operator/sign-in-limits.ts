import { hour, minute } from '../durations.ts'

/** A policy that slows down password guessing without locking anybody out. Times are in milliseconds. */
export interface BackoffPolicy {
  /** The number of attempts before the first wait, because people mistype. */
  readonly free: number
  readonly maxWait: number
}

/** The limit per account, which allows at most 2,880 guesses a day. */
export const accountBackoff: BackoffPolicy = { free: 5, maxWait: 30_000 }

/** The limit per network, which allows more attempts because a whole office may share a network. */
export const networkBackoff: BackoffPolicy = { free: 20, maxWait: 5 * minute }

/** The limit for a browser that has signed in before. A thief of the browser's cookie has 288 guesses a day. */
export const browserBackoff: BackoffPolicy = { free: 5, maxWait: 5 * minute }

/** The limit on changes to an operator's own account, because the audit log keeps each change forever. */
export const ownAccountBackoff: BackoffPolicy = { free: 100, maxWait: minute }

/** The server forgets failed sign-ins after this many milliseconds without another failure. */
export const failureLifetimeMs = hour

/** Returns the wait before the next attempt, in milliseconds. */
export const findBackoffDelay = (failures: number, { free, maxWait }: BackoffPolicy): number =>
  failures < free ? 0 : Math.min(1000 * 2 ** (failures - free), maxWait)
