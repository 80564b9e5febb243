/** A page that was open for longer was not: a clock was set meanwhile, or a bot makes it up. In milliseconds. */
const longestOpen = 30 * 24 * 60 * 60 * 1000

/**
 * When a page was opened, by our clock.
 * @param openFor how long it had been open, as the browser says it, in milliseconds
 * @param now epoch milliseconds
 */
export function openedAt(openFor: number | undefined, now: number): number | null {
  const isLikely = openFor !== undefined && openFor >= 0 && openFor <= longestOpen
  return isLikely ? Math.round(now - openFor) : null
}
