import { followPage } from './follow-page.ts'
import './forms.ts'
import './leave-when-signed-out.ts'
import './undo-countdown.ts'
import { showTimeZone, writeTimes } from './times.ts'

showTimeZone()
writeTimes(document)
followPage()

// On a phone the navigation is one row that scrolls: the current and the focused link are scrolled into view.
const header = document.querySelector('header')
const show = (link: EventTarget | null | undefined) =>
  link instanceof Element && link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
show(header?.querySelector('[aria-current]'))
header?.addEventListener('focusin', ({ target }) => show(target))
