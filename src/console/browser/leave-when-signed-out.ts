/** The interval, in milliseconds, at which a page with a person's data checks whether its operator is still signed in. */
const pollIntervalMs = 5000

const reloadPage = () => location.replace(location.pathname + location.search)

/**
 * Hides and reloads a page from the browser's back/forward cache, because its operator may have signed out. Over plain
 * http, as through a tunnel, WebKit caches such pages despite their `Cache-Control` header.
 */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  document.documentElement.style.visibility = 'hidden'
  reloadPage()
})

// A page that shows a person's data has no live updates, so it polls for the end of the session.
if (document.querySelector('[data-revealed]') !== null) {
  setInterval(async () => {
    const headers = { 'x-console-live': 'refresh' }
    const reply = await fetch('/account', { headers }).catch(() => undefined)
    if (reply?.redirected) reloadPage()
  }, pollIntervalMs)
}
