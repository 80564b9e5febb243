import { join } from 'node:path'
import type { LeadArrival } from '../../../src/server/enquiries/lead-arrival.ts'
import type { StoreResult } from '../../../src/server/enquiries/store-arrivals.ts'
import { listen } from '../../../src/server/platform/http/listen.ts'
import { makeLog } from '../../../src/server/platform/observability/log.ts'
import { openStore, type StoreSettings } from '../../../src/server/store/open-store.ts'
import { readPageAssets } from '../../../src/site/shell/assets.ts'
import { readStartInput } from '../../../src/start/read-start-input.ts'
import { startProduct } from '../../../src/start/wiring/product.ts'

/** The product with its own router, rules and log, but with a store that only counts leads. */
const projectFolder = process.argv[2] ?? ''
const clientFolder = join(projectFolder, 'dist/client')

let accepted = 0

async function openCountingStore(settings: StoreSettings) {
  const store = await openStore(settings)
  const accept = async ({ lead }: LeadArrival): Promise<StoreResult> => {
    accepted++
    return { id: lead.id, repeated: false, duplicateOf: null, corrects: null }
  }
  return { ...store, intake: { ...store.intake, accept } }
}

const read = readStartInput(projectFolder)
if (!read.ok) throw new Error(read.message)
const { settings, programs, texts } = read
const log = makeLog(settings.logLevel)
const assets = readPageAssets(clientFolder)
const open = openCountingStore
const product = await startProduct({ settings, programs, texts, assets, clientFolder, log, open })
const server = await listen({ ...settings, ...product })
log.info({ port: server.port }, 'ready')
process.once('SIGTERM', async () => {
  log.info({ accepted }, 'stops')
  await server.close({ requests: 1000 })
  await product.stop(1000)
})
