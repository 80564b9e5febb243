/**
 * A browser may show a page again from its memory, whatever its headers say: WebKit does where the console is reached by plain
 * http, as through a tunnel. Whoever has signed out meanwhile is not shown what they saw.
 */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  const { style } = document.documentElement
  style.visibility = 'hidden'
  const reply = await fetch('/keys', { headers: { 'x-console-live': 'refresh' } }).catch(() => null)
  if (reply?.ok && !reply.redirected) style.visibility = ''
  else location.replace(location.pathname + location.search)
})
