import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { findLeads } from '#server/leads/find-leads.ts'
import { indexLeadsOfPreviousVersion } from '#server/leads/lead-index-rows.ts'
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
  medium: ['CPC'],
  content: ['Ad 7'],
  state: ['FL'],
  signal: ['too-fast'],
  error: ['500'],
  held: ['any'],
  rejected: ['cap'],
  since: exampleTime - day,
  until: exampleTime + day,
  returned: ['yes'],
  // This comes last, because it needs a restore.
  restored: ['in-doubt'],
}

/** Lets the distributor take back every accepted lead. */
async function returnAccepted(store: Store): Promise<void> {
  const accepted = await store.leadReader.page({
    filter: { status: ['delivered'] },
    now: exampleTime,
    take: 9,
  })
  const lines = accepted.map(({ lead }) => `${lead.id},${new Date(lead.receivedAt).toISOString()}`)
  const clock = () => exampleTime
  const returns = makeReturnsImporter({ ...store.database, audit: store.audit, clock, zone: 'UTC' })
  const columns = { lead: 'reference', date: 'date', reason: '' }
  await returns.import(
    { kind: 'command line', user: 'ada' },
    ['reference,date', ...lines].join('\n'),
    columns,
  )
}

/** Holds a pending lead, as a claim does for a cap. */
async function holdPending({ database: { db } }: Store): Promise<void> {
  const cap = { id: 'cap', period: 'day' as const, blocked_states: '', follows_distributor: 0 }
  const unlimited = { program: null, affiliate_id: null, state: null, max_leads: null }
  const always = { opens_at: null, closes_at: null, full_since: null, created_at: exampleTime }
  await db
    .insertInto('caps')
    .values({ ...cap, ...unlimited, ...always })
    .execute()
  const pending = db
    .selectFrom('deliveries')
    .select((eb) => ['id', eb.val('cap').as('cap_id'), 'next_at', eb.val('').as('because')])
    .where('settled_at', 'is', null)
    .where('lease', 'is', null)
  await db
    .insertInto('held_deliveries')
    .columns(['delivery_id', 'cap_id', 'until_at', 'because'])
    .expression(pending)
    .execute()
}

/** The parts of the filter that find no lead, for example because a column of the index stays empty. */
export async function partsThatFindNothing(store: Store): Promise<readonly string[]> {
  while ((await indexLeadsOfPreviousVersion(store.database.db, 100)) > 0);
  const nothing: string[] = []
  for (const [part, value] of Object.entries(fitting)) {
    if (part === 'held') await holdPending(store)
    if (part === 'restored') await markOpenInDoubt(store.database, exampleTime)
    if (part === 'returned') await returnAccepted(store)
    const filter = { ...emptyFilter, [part]: value }
    const search = { filter, keys: undefined, take: 50, now: exampleTime } as const
    const { leads } = await findLeads(store.database.db, { ...search, towards: 'older' })
    if (leads.length === 0) nothing.push(part)
  }
  return nothing
}
