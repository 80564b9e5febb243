import { type LeadFilter, noFilter } from '../../../src/domain/lead/lead-filter.ts'
import { readSettings } from '../../../src/server/config/read-settings.ts'
import { makeBrowseLeads } from '../../../src/server/leads/browse-leads.ts'
import type { LeadPlace } from '../../../src/server/leads/find-leads.ts'
import type { AuditFilter } from '../../../src/server/operators/audit.ts'
import type { ConsoleActor } from '../../../src/server/operators/operator.ts'
import { readAudit } from '../../../src/server/operators/read-audit.ts'
import { makeLeadFunctions } from '../../../src/server/start/wiring/console/lead-functions.ts'
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
  const cases = makeLeadFunctions({
    settings: read.settings,
    store,
    clock,
    onJob: () => undefined,
    countRevealsRefused: () => undefined,
  })
  let searched: readonly string[] | undefined
  const searches = { ...store.index.searches, find: async () => searched }
  const browseLeads = makeBrowseLeads({ ...store, finder: { ...store.index, searches }, clock })
  return {
    /** In the midst of them all, with an attempt and with acts. */
    middle: await findMiddle(store),
    browse: ({ filter, keys, after }: Asked) => {
      searched = keys
      const searchId = keys && 'search'
      return browseLeads(actor, { filter: { ...noFilter, ...filter }, searchId, after, take })
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
