import { createHash } from 'node:crypto'
import type { Slowing } from '#domain/operator/guessing.ts'

/**
 * What tries are counted by. There are 65,536 of each kind, so that strangers cannot fill the store by making up accounts: those
 * that share one share its waits.
 */
export function guessKey(
  kind: 'account' | 'network' | 'browser' | 'own acts',
  ...parts: readonly string[]
): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${kind} ${hash.slice(0, 4)}`
}

export interface GuessedAt {
  /** See {@link guessKey}: it names nobody. */
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
  /** Clears the count of an account or browser that has just signed in. */
  forget(key: string): Promise<void>
  /**
   * Takes back one try that turned out right, and its wait. Other people's failures in the same network stay counted.
   * @param at when the try began, as given to `begin`
   */
  takeBack(key: string, at: number): Promise<void>
}
