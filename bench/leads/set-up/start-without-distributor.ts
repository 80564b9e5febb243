import { freePort } from '../../../tests/product/free-port.ts'
import { type RunningProduct, startProcess } from '../../../tests/product/start-process.ts'
import type { LeadStore } from './lead-store.ts'

/** Starts pages, API and delivery in one process; the distributor is down and refuses every connection. */
export async function startWithoutDistributor({ env }: LeadStore): Promise<RunningProduct> {
  return startProcess({
    ...env,
    ROLE: 'all',
    DISTRIBUTOR_URL: `http://127.0.0.1:${await freePort()}/incoming/leads`,
    // The product sends the visitor's address unchanged, so that no other call affects the figure.
    IP_LOOKUP_URL: '',
  })
}
