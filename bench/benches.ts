import type { Bench } from './bench.ts'
import { firstResponse } from './first-response.bench.ts'
import { lighthouse } from './lighthouse.bench.ts'
import { nextPaint } from './next-paint.bench.ts'
import { pagesPerSecond } from './pages-per-second.bench.ts'
import { requests } from './requests.bench.ts'
import { scriptBytes } from './script-bytes.bench.ts'
import { slowPhone } from './slow-phone.bench.ts'

export const benches: readonly Bench[] = [
  scriptBytes,
  firstResponse,
  requests,
  slowPhone,
  lighthouse,
  nextPaint,
  pagesPerSecond,
]
