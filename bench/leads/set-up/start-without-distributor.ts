import { freePort } from '../../../tests/product/free-port.ts'
import { type RunningProduct, startProcess } from '../../../tests/product/start-process.ts'
import type { LeadStore } from './lead-store.ts'

/** Pages, own API and delivery in one process; the distributor is down: it refuses every connection. */
export async function startWithoutDistributor({ env }: LeadStore): Promise<RunningProduct> {
  return startProcess({
    ...env,
    ROLE: 'all',
    DISTRIBUTOR_URL: `http://127.0.0.1:${await freePort()}/incoming/leads`,
    // The visitor's address as it is: no call that the figure is not about.
    IP_LOOKUP_URL: '',
  })
}
