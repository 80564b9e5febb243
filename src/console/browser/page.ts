import { followPage } from './follow-page.ts'
import './forms.ts'
import './leave-when-signed-out.ts'
import { showTimeZone, writeTimes } from './times.ts'

showTimeZone()
writeTimes(document)
followPage()
