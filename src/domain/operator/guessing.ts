/** How guessing is slowed, and nobody locked out. Times are milliseconds. */
export interface Slowing {
  /** Tries that cost nothing: people mistype. */
  readonly free: number
  /** No wait is longer: whoever it is about can always try again. */
  readonly mostWait: number
}

/** A guesser who keeps at it has 2,880 tries a day. */
export const ofAccount: Slowing = { free: 5, mostWait: 30_000 }

/** An office shares one. */
export const ofNetwork: Slowing = { free: 20, mostWait: 5 * 60_000 }

/** Of a browser that has signed in before: whoever steals its cookie has 288 tries a day. */
export const ofBrowser: Slowing = { free: 5, mostWait: 5 * 60_000 }

/** Of what operators do to their own account, which the audit keeps for good: no person does so more often. */
export const ofOwnActs: Slowing = { free: 100, mostWait: 60_000 }

/** After so long without a failure all is forgotten. */
export const forgottenAfter = 60 * 60_000

/** How long the next try has to wait after so many that failed. */
export const waitAfter = (failures: number, { free, mostWait }: Slowing): number =>
  failures < free ? 0 : Math.min(1000 * 2 ** (failures - free), mostWait)
