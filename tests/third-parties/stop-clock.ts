import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, vi } from 'vitest'

/** undici's event for a received part of a reply's body, after its headers. */
const bodyChannel = 'undici:request:bodyChunkReceived'

/**
 * Stops the clock of the calls' timeouts for the rest of the test, so that a slow machine causes no timeout.
 * @returns a function that moves the clock forward, in milliseconds
 */
export function stopClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    // A timer that remained would never fire in later tests.
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return (ms) => void vi.advanceTimersByTime(ms)
}

/** Resolves once the first part of any reply's body has arrived. */
export function bodyBegun(): Promise<void> {
  return new Promise((resolve) => {
    const onPiece = () => {
      unsubscribe(bodyChannel, onPiece)
      resolve()
    }
    subscribe(bodyChannel, onPiece)
  })
}
