import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { makeReturns } from '#server/delivery/import-returns.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleTime } from './example-arrival.ts'

const day = 24 * 3_600_000

/** A value for each part of a filter that matches a lead of `storeLeadOfEachStatus`, after a restore put all in doubt. */
const fitting: LeadFilter = {
  status: ['dead'],
  area: ['healthcare'],
  program: [12],
  affiliate: ['affiliate 7'],
  source: ['news'],
  campaign: ['spring sale'],
  state: ['FL'],
  signal: ['too-fast'],
  error: ['500'],
  since: exampleTime - day,
  until: exampleTime + day,
  returned: ['yes'],
  // This comes last, because it needs a restore.
  restored: ['in-doubt'],
}

/** Lets the distributor take back every accepted lead. */
async function returnAccepted(store: Store): Promise<void> {
  const accepted = await store.archive.page({
    filter: { status: ['delivered'] },
    now: exampleTime,
    take: 9,
  })
  const lines = accepted.map(({ lead }) => `${lead.id},${new Date(lead.receivedAt).toISOString()}`)
  const clock = () => exampleTime
  const returns = makeReturns({ ...store.database, audit: store.audit, clock })
  const columns = { lead: 'reference', date: 'date', reason: '' }
  await returns.import(
    { kind: 'command line', user: 'ada' },
    ['reference,date', ...lines].join('\n'),
    columns,
  )
}

/** The parts of the filter that find no lead, for example because a column of the index stays empty. */
export async function partsThatFindNothing(store: Store): Promise<readonly string[]> {
  while ((await store.index.indexEarlierLeads(100)) > 0);
  const nothing: string[] = []
  for (const [part, value] of Object.entries(fitting)) {
    if (part === 'restored') await store.settling.doubtAll(exampleTime)
    if (part === 'returned') await returnAccepted(store)
    const filter = { ...emptyFilter, [part]: value }
    const search = { filter, keys: undefined, take: 50, now: exampleTime } as const
    const { leads } = await store.index.find({ ...search, towards: 'older' })
    if (leads.length === 0) nothing.push(part)
  }
  return nothing
}
