import { startLiveUpdates } from './follow-page.ts'
import './forms.ts'
import './leave-when-signed-out.ts'
import { localizeTimes, storeTimeZone } from './times.ts'

storeTimeZone()
localizeTimes(document)
startLiveUpdates()

// On a phone the navigation is one row that scrolls, and browsers leave a partly visible link where it is.
document.querySelector('header')?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})
