import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runStatements } from '../../../tests/postgres/run-statements.ts'
import { groupOfFailed } from './fill-console.ts'
import type { LeadStore } from './lead-store.ts'

/** Fills the index with the copied leads, with different values. Keys are spread like those of real people. */
export async function fillIndex({ settings }: LeadStore): Promise<void> {
  if (settings.databaseUrl !== undefined) {
    await runStatements(settings.databaseUrl, filling.join(';\n'))
    await runStatements(settings.databaseUrl, 'vacuum (analyze)')
    return
  }
  const db = new DatabaseSync(join(settings.dataDir, 'leads.sqlite'))
  db.exec(['begin', ...filling, 'commit'].join(';\n'))
  db.close()
}

/** Selects one in so many leads. */
const every = (count: number) => `received_at % ${count} = 0`

/** The number of leads with the same name, whatever the store's size: enough to fill a page. */
const namesakes = 200

const filling = [
  'delete from leads_to_index',
  'delete from lead_keys',
  'delete from lead_index',
  `insert into lead_index (lead_id, received_at, status, area, program, affiliate, affiliate_key, state, verified, attempts,
     error, error_group, failed_at)
   select leads.id, received_at,
     case when quarantined_at is not null then 'quarantined' when ${every(100)} then 'dead'
       when ${every(50)} then 'rejected' else coalesce(settled_as, 'owed') end,
     case received_at % 3 when 0 then 'business' when 1 then 'general' else 'healthcare' end,
     received_at % 70, 'affiliate-' || (received_at % 100), 'affiliate-' || (received_at % 100),
     case when ${every(2)} then 'FL' when ${every(3)} then 'NY' else 'CA' end, 1, coalesce(attempts, 0),
     case when ${every(100)} then '503' when ${every(50)} then '422' end,
     case when ${every(100)} then ${groupOfFailed('503', 100)} when ${every(50)} then ${groupOfFailed('422', 50)} end,
     case when ${every(50)} then received_at + 1000 end
   from leads left join deliveries on deliveries.lead_id = leads.id`,
  `insert into lead_keys (key, received_at, lead_id)
   select 'email-' || received_at, received_at, id from leads`,
  `insert into lead_keys (key, received_at, lead_id)
   select 'name-' || (received_at % (select count(*) / ${namesakes} from leads)), received_at, id from leads`,
]
