import { vi } from 'vitest'
import { patience } from './patience.ts'

/** Milliseconds between two looks. */
const interval = 50

interface Waits {
  /** Milliseconds. */
  readonly timeout?: number
  /** Milliseconds between two looks. */
  readonly interval?: number
}

/** Waits until it is so, with what it then is. */
export const until = <Seen>(isSo: () => Seen | Promise<Seen>, waits: Waits = {}) =>
  vi.waitUntil(isSo, { timeout: patience, interval, ...waits })

/** Waits until it does not throw any more, with what it returns then. */
export const untilPasses = <Seen>(look: () => Seen | Promise<Seen>) =>
  vi.waitFor(look, { timeout: patience, interval })
