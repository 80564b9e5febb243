import { startLiveUpdates } from './live-updates.ts'
import './forms.ts'
import './leave-when-signed-out.ts'
import { localizeTimes, storeTimeZone } from './times.ts'

storeTimeZone()
localizeTimes(document)
startLiveUpdates()

// On a phone the navigation is one scrolling row, and browsers don't scroll a focused, partly visible link into view.
document.querySelector('header')?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})
