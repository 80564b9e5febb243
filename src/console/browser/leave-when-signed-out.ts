export {}

/** How often a page that shows a person's data asks whether its operator is still signed in, in milliseconds. */
const pollIntervalMs = 5000

/**
 * A browser may show a page again from its memory, whatever its headers say: WebKit does where the
 * console is reached by plain http, as through a tunnel. An operator who has signed out meanwhile
 * must not see the earlier page.
 */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  const { style } = document.documentElement
  style.visibility = 'hidden'
  if ((await findSession()) === 'open') style.visibility = ''
  else leave()
})

// A revealed lead follows no events, so it asks by itself.
if (document.querySelector('[data-revealed]') !== null) {
  setInterval(async () => {
    if ((await findSession()) === 'ended') leave()
  }, pollIntervalMs)
}

/** A server that does not answer says nothing about the session. */
async function findSession(): Promise<'open' | 'ended' | 'unknown'> {
  const reply = await fetch('/keys', { headers: { 'x-console-live': 'refresh' } }).catch(() => null)
  if (reply === null || reply.status >= 500) return 'unknown'
  return reply.ok && !reply.redirected ? 'open' : 'ended'
}

const leave = () => location.replace(location.pathname + location.search)
