import { vi } from 'vitest'
import { patience } from './patience.ts'

/** Milliseconds between two checks. */
const interval = 50

interface Waits {
  /** Milliseconds. */
  readonly timeout?: number
  /** Milliseconds between two checks. */
  readonly interval?: number
}

/** Waits until the function returns a truthy value, and resolves with it. */
export const until = <Seen>(isSo: () => Seen | Promise<Seen>, waits: Waits = {}) =>
  vi.waitUntil(isSo, { timeout: patience, interval, ...waits })

/** Waits until the function no longer throws, and resolves with its result. */
export const untilPasses = <Seen>(look: () => Seen | Promise<Seen>) =>
  vi.waitFor(look, { timeout: patience, interval })
