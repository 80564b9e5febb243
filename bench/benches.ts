import type { Bench } from './bench.ts'
import { keystroke } from './form/keystroke.bench.ts'
import { nextPaint } from './form/next-paint.bench.ts'
import { proofOfWork } from './form/proof-of-work.bench.ts'
import { requests } from './form/requests.bench.ts'
import { scriptBytes } from './form/script-bytes.bench.ts'
import { slowPhone } from './form/slow-phone.bench.ts'
import { accepting } from './leads/accepting.bench.ts'
import { backlog } from './leads/backlog.bench.ts'
import { delivering } from './leads/delivering.bench.ts'
import { doNotContact } from './leads/do-not-contact.bench.ts'
import { finding } from './leads/finding.bench.ts'
import { manyLeads } from './leads/many-leads.bench.ts'
import { notifying } from './leads/notifying.bench.ts'
import { retention } from './leads/retention.bench.ts'
import { postgresql, sqlite } from './leads/set-up/lead-store.ts'
import { slowDisk } from './leads/slow-disk.bench.ts'
import { twoWorkers } from './leads/two-workers.bench.ts'
import { firstResponse } from './pages/first-response.bench.ts'
import { lighthouse } from './pages/lighthouse.bench.ts'
import { pagesPerSecond } from './pages/pages-per-second.bench.ts'
import { peer } from './peer/peer.bench.ts'

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
    doNotContact(kind),
    backlog(kind),
    manyLeads(kind),
    finding(kind),
    delivering(kind),
    notifying(kind),
    retention(kind),
  ]),
  twoWorkers,
  slowDisk,
]
