import './copy.ts'
import './countdown.ts'
import './export-progress.ts'
import './focus-field.ts'
import './keys.ts'
import './leave-out-empty.ts'
import './leave-when-signed-out.ts'
import { followPage } from './follow-page.ts'
import './send-once.ts'
import { sayZone } from './say-zone.ts'
import { writeTimes } from './write-times.ts'

sayZone()
writeTimes(document)
followPage()
