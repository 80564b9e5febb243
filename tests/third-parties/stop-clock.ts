import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, vi } from 'vitest'

/** What undici says when a piece of a reply's body has come, and its head with it. */
const bodyChannel = 'undici:request:bodyChunkReceived'

/**
 * Stops the clock by which calls are given up, for the rest of the test: their time is over when the test says so, and
 * never because the machine was slow.
 * @returns what lets it be so much later, in milliseconds
 */
export function stopClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    // One that was left would never come, in any test after this.
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return (ms) => void vi.advanceTimersByTime(ms)
}

/** Resolves once a first piece of some reply's body has come in. */
export function bodyBegun(): Promise<void> {
  return new Promise((resolve) => {
    const onPiece = () => {
      unsubscribe(bodyChannel, onPiece)
      resolve()
    }
    subscribe(bodyChannel, onPiece)
  })
}
