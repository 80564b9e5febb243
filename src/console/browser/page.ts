import './countdown.ts'
import './keys.ts'
import { followPage } from './live/follow-page.ts'
import { writeTimes } from './write-times.ts'

writeTimes(document)
followPage()
