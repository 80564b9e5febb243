import { pino } from 'pino'
import { noConsoleAssets } from '../../../src/console/shell/console-assets.ts'
import { type LeadFilter, noFilter } from '../../../src/domain/lead/lead-filter.ts'
import { readSettings } from '../../../src/server/config/read-settings.ts'
import { makeConsoleParts } from '../../../src/server/console-pages/console-env.ts'
import { browseLeads } from '../../../src/server/leads/browse-leads.ts'
import type { LeadPlace } from '../../../src/server/leads/find-leads.ts'
import type { AuditFilter } from '../../../src/server/operators/audit.ts'
import type { ConsoleActor } from '../../../src/server/operators/operator.ts'
import { readAudit } from '../../../src/server/operators/read-audit.ts'
import { makeMetrics } from '../../../src/server/start/wiring/metrics.ts'
import type { Store } from '../../../src/server/store/open-store.ts'

export type Console = Awaited<ReturnType<typeof consoleOn>>

/** As many as a page of the console has. */
const take = 50

const clock = Date.now

const actor: ConsoleActor = {
  kind: 'console',
  id: 'operator',
  email: 'operator@example.com',
  role: 'admin',
  lastAuthenticatedAt: clock(),
  network: '127.0.0.0/24',
}

interface Asked {
  readonly filter?: Partial<LeadFilter>
  /** Of a person; else nobody is searched for. */
  readonly keys?: readonly string[]
  readonly after?: LeadPlace
}

/** What an admin asks of a store, by the console's use-cases; what those keep for a while is counted each time. */
export async function consoleOn(store: Store) {
  const read = readSettings({})
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const log = pino({ level: 'silent' })
  const checkStore = store.ready
  const cases = makeConsoleParts(
    {
      settings: read.settings,
      store,
      clock,
      log,
      metrics: makeMetrics({ ...store, checkStore, clock, log }),
      checkStore,
      programs: () => [],
      onJob: () => undefined,
      assets: noConsoleAssets,
      assetFolder: undefined,
    },
    { origin: () => 'http://127.0.0.1', isDraining: () => false },
  )
  let searched: readonly string[] | undefined
  const searches = { ...store.index.searches, find: async () => searched }
  const searching = { ...store, index: { ...store.index, searches } }
  return {
    /** In the midst of them all, with an attempt and with acts. */
    middle: await findMiddle(store),
    browse: ({ filter, keys, after }: Asked) => {
      searched = keys
      const searchId = keys && 'search'
      const order = { filter: { ...noFilter, ...filter }, searchId, after, take }
      return browseLeads(searching, actor, order, clock())
    },
    view: (id: string) => cases.viewLead.masked(actor, id),
    reviewQuarantine: () => cases.reviewQuarantine.look(actor, undefined),
    groupErrors: () => store.index.errorGroups.list(),
    readAudit: (filter: AuditFilter) =>
      readAudit({ audit: store.audit, clock }, actor, { ...filter, take }),
    listJobs: () => cases.jobs.list(actor, { take }),
  }
}

async function findMiddle({ index }: Store): Promise<LeadPlace> {
  const { leads } = await index.find({
    filter: { ...noFilter, status: ['delivered'] },
    keys: undefined,
    now: clock(),
    take: 10,
    towards: 'older',
  })
  const middle = leads.at(-1)
  if (middle === undefined) throw new Error('no lead is delivered')
  return middle
}
