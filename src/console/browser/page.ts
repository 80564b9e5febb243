import { followPage } from './follow-page.ts'
import './forms.ts'
import './keys.ts'
import './leave-when-signed-out.ts'
import './undo-countdown.ts'
import { sayZone, writeTimes } from './times.ts'

sayZone()
writeTimes(document)
followPage()

// On a phone the pages stand in one row that scrolls: the current one and the focused one are in sight.
const nav = document.querySelector('nav')
const show = (link: EventTarget | null | undefined) =>
  link instanceof Element && link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
show(nav?.querySelector('[aria-current]'))
nav?.addEventListener('focusin', ({ target }) => show(target))
