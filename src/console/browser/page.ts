import { followPage } from './follow-page.ts'
import './forms.ts'
import './keys.ts'
import './leave-when-signed-out.ts'
import './progress.ts'
import { sayZone, writeTimes } from './times.ts'

sayZone()
writeTimes(document)
followPage()
