export {}

/** How often, in milliseconds, a page that shows a person's data checks whether its operator is still signed in. */
const pollIntervalMs = 5000

/**
 * Hides a page that the browser shows again after its operator has signed out. A browser may do so from its
 * back/forward cache whatever the headers say: WebKit does if the console is reached over plain http, as through a
 * tunnel.
 */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  const { style } = document.documentElement
  style.visibility = 'hidden'
  if ((await findSession()) === 'open') style.visibility = ''
  else leave()
})

// A page that shows a person's data does not follow the event stream, so it polls for the end of the session.
if (document.querySelector('[data-revealed]') !== null) {
  setInterval(async () => {
    if ((await findSession()) === 'ended') leave()
  }, pollIntervalMs)
}

/** Asks the server whether the session is still open. If the server doesn't answer, the state is `unknown`. */
async function findSession(): Promise<'open' | 'ended' | 'unknown'> {
  const reply = await fetch('/account', { headers: { 'x-console-live': 'refresh' } }).catch(
    () => null,
  )
  if (reply === null || reply.status >= 500) return 'unknown'
  return reply.ok && !reply.redirected ? 'open' : 'ended'
}

const leave = () => location.replace(location.pathname + location.search)
