import { startLiveUpdates } from './live-updates.ts'
import './forms.ts'
import { localizeTimes, storeTimeZone } from './localize-times.ts'

storeTimeZone()
localizeTimes(document)
startLiveUpdates()

// On a phone the navigation scrolls sideways. Browsers don't do this when a partly visible link gets the focus.
const header = document.querySelector('header')
header?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})

// Scrolls the navigation until the current page's link is in the middle. `scrollIntoView` would also scroll the page.
const current = header?.querySelector('[aria-current]')
const row = current?.closest('nav, form')?.parentElement
if (current && row) {
  const { left, width } = current.getBoundingClientRect()
  row.scrollLeft = left + width / 2 - row.clientWidth / 2
}

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
