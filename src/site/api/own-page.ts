import { withinLimit } from './time-limit.ts'

/** Asks for the page that the visitor is on once more. Its reply sets the cookies anew that the visitor has cleared. */
export const fetchOwnPage = (signal: AbortSignal): Promise<Response> =>
  fetch(location.href, { cache: 'no-store', signal })

/** Soon, as the visitor waits for another answer behind it. */
export const isSiteReached = (): Promise<boolean> =>
  withinLimit(fetchOwnPage, 3000).then(
    ({ ok }) => ok,
    () => false,
  )
