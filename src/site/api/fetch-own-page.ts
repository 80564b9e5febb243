/**
 * Asks for the page that the visitor is on once more. Its reply sets the cookies anew that the visitor has cleared: the
 * XSRF token, and the affiliate id where the address has one. It also tells whether the site can be reached at all.
 */
export const fetchOwnPage = (signal: AbortSignal): Promise<Response> =>
  fetch(location.href, { cache: 'no-store', signal })
