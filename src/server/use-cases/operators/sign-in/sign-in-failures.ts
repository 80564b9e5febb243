import type { Slowing } from '#domain/operator/guessing.ts'

/** What tries are counted by: an account, a network. */
export interface GuessedAt {
  /** A hash: it names nobody. */
  readonly key: string
  readonly slowing: Slowing
}

export type TryOutcome =
  /** How often the first of them has failed, this try included. */
  | { readonly kind: 'go'; readonly failures: number }
  /** Epoch milliseconds. It was not counted. */
  | { readonly kind: 'wait'; readonly until: number }

export interface SignInFailures {
  /**
   * Counts a try as one that failed, before it is looked at, so that many at once are no way around; unless one of them has
   * to wait.
   */
  begin(guessedAt: readonly GuessedAt[], now: number): Promise<TryOutcome>
  /** It was right after all. */
  forgive(keys: readonly string[]): Promise<void>
  /** Whether somebody signed in from there then or later. */
  isKnownNetwork(operatorId: string, network: string, since: number): Promise<boolean>
}
