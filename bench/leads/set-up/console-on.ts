import { chooseIp, toDistributorLead } from '../../../src/domain/lead/distributor-lead.ts'
import { emptyFilter, type LeadFilter } from '../../../src/domain/lead/lead-filter.ts'
import { readSettings } from '../../../src/server/config/read-settings.ts'
import { encodeLead } from '../../../src/server/delivery/distributor-client.ts'
import { makeJobs } from '../../../src/server/jobs/jobs.ts'
import { listErrorGroups } from '../../../src/server/leads/error-groups.ts'
import { findLeads, type LeadCursor } from '../../../src/server/leads/find-leads.ts'
import { listLeads } from '../../../src/server/leads/list-leads.ts'
import { keepLeadSearch } from '../../../src/server/leads/person-searches.ts'
import { makeQuarantineReviewer } from '../../../src/server/leads/review-quarantine.ts'
import { makeLeadViewer } from '../../../src/server/leads/view-lead.ts'
import type { AuditFilter } from '../../../src/server/operators/audit.ts'
import type { ConsoleActor } from '../../../src/server/operators/operator.ts'
import { readAudit } from '../../../src/server/operators/read-audit.ts'
import type { Store } from '../../../src/server/store/open-store.ts'

export type Console = Awaited<ReturnType<typeof consoleOn>>

/** As many as one page of the console lists. */
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
  /** Search keys of a person; if undefined, the query searches for nobody. */
  readonly keys?: readonly string[]
  readonly after?: LeadCursor
}

/** Queries a store like an admin's console. Counts that the console caches are computed each time. */
export async function consoleOn(store: Store) {
  const read = readSettings({})
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const { campaign, fallbackIp, thirdParties } = read.settings
  const { forConsole } = store
  const { database } = forConsole
  const viewLead = makeLeadViewer({
    ...forConsole,
    readBreaker: forConsole.breaker.read,
    bodyOf: (lead) =>
      encodeLead(
        toDistributorLead(lead, campaign, chooseIp(lead.consent.ip, fallbackIp)),
        thirdParties.distributorEncoding,
      ),
    clock,
    onTooMany: () => undefined,
  })
  const quarantine = makeQuarantineReviewer({ ...forConsole, viewLead, clock })
  const jobs = makeJobs(database, { clock, onWork: () => undefined })
  const searchIds = new Map<string, string>()
  const keep = async (keys: readonly string[]) => {
    const name = keys.join(' ')
    const id =
      searchIds.get(name) ?? (await keepLeadSearch(store.database.db, actor.id, keys, clock()))
    searchIds.set(name, id)
    return id
  }
  return {
    /** A lead in the middle, with an attempt and audit entries. */
    middle: await findMiddle(store),
    browse: async ({ filter, keys, after }: Asked) => {
      const searchId = keys && (await keep(keys))
      const order = { filter: { ...emptyFilter, ...filter }, searchId, after, take }
      return listLeads(store, actor, order, clock())
    },
    view: (id: string) => viewLead.masked(actor, id),
    reviewQuarantine: () => quarantine.showNext(actor, undefined),
    groupErrors: () => listErrorGroups(store.database.db),
    readAudit: (filter: AuditFilter) =>
      readAudit({ audit: store.audit, clock }, actor, { ...filter, take }),
    listJobs: () => jobs.list(actor, { take }),
  }
}

async function findMiddle({ database }: Store): Promise<LeadCursor> {
  const { leads } = await findLeads(database.db, {
    filter: { ...emptyFilter, status: ['delivered'] },
    keys: undefined,
    now: clock(),
    take: 10,
    towards: 'older',
  })
  const middle = leads.at(-1)
  if (middle === undefined) throw new Error('no lead is delivered')
  return middle
}
