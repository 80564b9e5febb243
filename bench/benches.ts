import type { Bench } from './bench.ts'
import { firstResponse } from './first-response.bench.ts'
import { keystroke } from './keystroke.bench.ts'
import { accepting } from './leads/accepting.bench.ts'
import { backlog } from './leads/backlog.bench.ts'
import { delivering } from './leads/delivering.bench.ts'
import { finding } from './leads/finding.bench.ts'
import { postgresql, sqlite } from './leads/lead-store.ts'
import { manyLeads } from './leads/many-leads.bench.ts'
import { retention } from './leads/retention.bench.ts'
import { slowDisk } from './leads/slow-disk.bench.ts'
import { twoWorkers } from './leads/two-workers.bench.ts'
import { lighthouse } from './lighthouse.bench.ts'
import { nextPaint } from './next-paint.bench.ts'
import { pagesPerSecond } from './pages-per-second.bench.ts'
import { peer } from './peer/peer.bench.ts'
import { proofOfWork } from './proof-of-work.bench.ts'
import { requests } from './requests.bench.ts'
import { scriptBytes } from './script-bytes.bench.ts'
import { slowPhone } from './slow-phone.bench.ts'

export const benches: readonly Bench[] = [
  scriptBytes,
  firstResponse,
  requests,
  slowPhone,
  peer,
  lighthouse,
  nextPaint,
  keystroke,
  proofOfWork,
  pagesPerSecond,
  ...[sqlite, postgresql].flatMap((kind) => [
    accepting(kind),
    backlog(kind),
    manyLeads(kind),
    finding(kind),
    delivering(kind),
    retention(kind),
  ]),
  twoWorkers,
  slowDisk,
]
