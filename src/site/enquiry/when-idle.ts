/** At the latest after a second, should the browser always have something better to do. Safari knows no idle time. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}
