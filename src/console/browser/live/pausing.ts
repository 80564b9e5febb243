/** Remembered for all pages: what moves by itself can be stopped (WCAG 2.2.2). */
const pausedKey = 'console-live-paused'

/** Without a place to remember in, as in some private windows, it follows. */
export function isPaused(): boolean {
  try {
    return localStorage.getItem(pausedKey) !== null
  } catch {
    return false
  }
}

export function pauseOrGoOn(): void {
  if (isPaused()) localStorage.removeItem(pausedKey)
  else localStorage.setItem(pausedKey, 'yes')
}
