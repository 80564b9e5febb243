import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { productBuild, productVersion } from '../product-version.ts'

let collected: Registry | undefined

/**
 * What is so of the process, whatever it runs: `process_…` and `nodejs_…` as Prometheus' own clients name them, and which
 * release it is. Once a process: each collecting would watch the event loop and the garbage collector anew.
 */
export function processMetrics(): Registry {
  if (collected !== undefined) return collected
  collected = new Registry()
  collectDefaultMetrics({ register: collected })
  new Gauge({
    name: 'campus_enquiry_build_info',
    help: 'Always 1; the labels say which release this process runs, and what that was built of',
    labelNames: ['version', 'build'],
    registers: [collected],
  }).set({ version: productVersion, build: productBuild }, 1)
  return collected
}
