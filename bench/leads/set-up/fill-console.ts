import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runStatements } from '../../../tests/postgres/run-statements.ts'
import type { LeadStore } from './lead-store.ts'

const groups = 20

/**
 * Fills in what the console shows beside its lists, in proportion to the leads: an audit entry for each lead, a job for
 * every hundred, and one in 500 waiting leads in quarantine. Call this before the index is filled.
 */
export async function fillConsole({ settings }: LeadStore): Promise<void> {
  if (settings.databaseUrl !== undefined) {
    const hex = `lpad(to_hex(received_at), 12, '0')`
    await runStatements(settings.databaseUrl, filling(hex).join(';\n'))
    return
  }
  const db = new DatabaseSync(join(settings.dataDir, 'leads.sqlite'))
  db.exec(['begin', ...filling(`printf('%012x', received_at)`), 'commit'].join(';\n'))
  db.close()
}

const words = Array.from({ length: groups }, (_, n) =>
  ['503', '422'].map((error) => `('${error}~${n}', '${error}', 'words ${n}')`),
).flat()

/** @param hex the time with which the ids begin */
const filling = (hex: string): readonly string[] => [
  `update leads set quarantined_at = received_at, signals = '["too-fast"]' where id in (
     select lead_id from deliveries where settled_at is null and created_at % 500 = 1)`,
  `delete from deliveries where settled_at is null and created_at % 500 = 1`,
  `insert into error_groups (id, error, words) values ${words.join(', ')}`,
  `insert into audit (id, at, via, operator_id, "system_user", network, action, subject)
   select substr(${hex}, 1, 8) || '-' || substr(${hex}, 9, 4) || '-7000-8000-000000000000', received_at,
     case when received_at % 10 = 0 then 'command line' else 'console' end,
     case when received_at % 10 = 0 then null else 'operator' end,
     case when received_at % 10 = 0 then 'root' end, null,
     case when received_at % 10 = 0 then 'retried a delivery' when received_at % 100 = 1 then 'exported leads'
       else 'revealed a lead' end,
     case when received_at % 100 = 1 then 'area=business' else id end
   from leads`,
  `insert into jobs (id, action, query, is_of_search, operator_id, phase, planned_at, plan, rate, ended_at)
   select id, 'retry', 'status=dead', 0, 'operator', 'ended', received_at, '{}', 10, received_at
   from leads where received_at % 100 = 0`,
  `insert into job_members (job_id, position, lead_id, outcome, at)
   select (select max(id) from jobs), row_number() over (order by id), id, 'due', received_at
   from leads where received_at % 10 = 0`,
]

/** Of leads that failed, by the time of receipt. */
export const groupOfFailed = (error: string, every: number): string =>
  `'${error}~' || (received_at / ${every} % ${groups})`
