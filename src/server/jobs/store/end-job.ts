import type { Kysely } from 'kysely'
import { reportInWords } from '#domain/job/report-in-words.ts'
import { auditRow } from '#server/operators/audit.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { readReport } from './job-row.ts'

interface Ending {
  readonly jobId: string
  readonly lease: string
  readonly now: number
}

/** Ends a job and says so in the audit, both or neither: who comes after a crash finds it ended, and writes nothing. */
export function endJob(db: Kysely<StoreTables>, { jobId, lease, now }: Ending): Promise<void> {
  return db.transaction().execute(async (store) => {
    const ended = await store
      .updateTable('jobs')
      .set({ phase: 'ended', ended_at: now, search_keys: null, lease: null, leased_until: null })
      .where('id', '=', jobId)
      .where('lease', '=', lease)
      .where('phase', '=', 'running')
      .where('paused_at', 'is', null)
      .returning(['operator_id', 'system_user', 'network', 'report'])
      .executeTakeFirst()
    if (ended === undefined) return
    const act = auditRow(ended, { action: 'ended a job', subject: jobId }, now)
    await store.insertInto('audit').values(act).execute()
    await store
      .insertInto('audit_outcomes')
      .values({ audit_id: act.id, outcome: reportInWords(readReport(ended)) })
      .execute()
  })
}
