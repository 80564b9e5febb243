/** A page with a person's data checks at this interval, in milliseconds, whether the operator is still signed in. */
const pollIntervalMs = 5000

const reloadPage = () => location.replace(location.pathname + location.search)

/**
 * Hides and reloads a page that the browser restores from its back/forward cache, because the operator may have signed
 * out since. Over plain http, WebKit caches even pages with `Cache-Control: no-store`.
 */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  document.documentElement.style.visibility = 'hidden'
  reloadPage()
})

// A page that shows a person's data gets no live updates, so this script asks whether the session has ended.
if (document.querySelector('[data-revealed]') !== null) {
  setInterval(async () => {
    const reply = await fetch('/api/changes').catch(() => undefined)
    if (reply?.status === 401) reloadPage()
  }, pollIntervalMs)
}
