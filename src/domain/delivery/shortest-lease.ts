/** The share of a lease that must be left when an attempt begins. */
export const leastLeaseLeft = 0.8

/** How long an attempt waits for the IP service at most, in milliseconds. */
export const ipLookupTimeout = 3000

interface AttemptTimes {
  /** Of one call of the distributor, in milliseconds. */
  readonly timeout: number
  /** Whether an IP service is asked before the call. */
  readonly looksUpIp: boolean
}

/**
 * The shortest lease, in milliseconds, that outlasts an attempt which begins as late as it may: a second worker must not
 * send a lead that is still being sent.
 */
export const shortestLease = ({ timeout, looksUpIp }: AttemptTimes): number =>
  Math.ceil((timeout + (looksUpIp ? ipLookupTimeout : 0)) / leastLeaseLeft)
