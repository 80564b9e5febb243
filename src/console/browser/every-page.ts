import { startLiveUpdates } from './live-updates.ts'
import './forms.ts'
import './leave-when-signed-out.ts'
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
