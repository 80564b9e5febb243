import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { pluralize } from '#domain/text/formats.ts'
import { type AuditLog, streamAuditedExport } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import {
  type ExportFormat,
  exportPages,
  makeExportFormats,
} from '#server/platform/export-formats.ts'
import { leadExportColumns } from './export-columns.ts'
import type { SearchCriteria } from './find-leads.ts'
import { describeSearchedLeads, findPersonSearch } from './person-searches.ts'
import type { LeadReader, LeadWithLastAttempt } from './read-leads.ts'

/** Yields the text of the leads that match a search and were received before the export began, oldest first. */
export function exportLeads(
  leadReader: Pick<LeadReader, 'page' | 'zone'>,
  { filter, keys, now }: SearchCriteria,
  format: ExportFormat,
  onProgress?: (done: number) => void,
): AsyncGenerator<string> {
  const until = Math.min(filter.until ?? now, now)
  const search = { filter: { ...filter, until }, keys, now, towards: 'newer' } as const
  const columns = leadExportColumns.map(({ name, read }) => ({
    name,
    read: (lead: LeadWithLastAttempt) => read(lead, leadReader.zone),
  }))
  return exportPages(
    makeExportFormats(columns)[format],
    (after, take) => leadReader.page({ ...search, after: after?.lead, take }),
    onProgress,
  )
}

interface ExportRequest {
  readonly filter: LeadFilter
  readonly searchId: string | undefined
  readonly format: ExportFormat
  /** The filter as a URL query, for the audit log. */
  readonly query: string
}

interface ExportStore {
  readonly database: Pick<LeadDatabase, 'db'>
  readonly leadReader: LeadReader
  readonly audit: AuditLog
}

/** Exports leads for the console, with the same code as the command line. The audit log records each export. */
export async function exportLeadsForConsole(
  { audit, database, leadReader }: ExportStore,
  actor: ConsoleActor,
  { filter, searchId, format, query }: ExportRequest,
  now: number,
): Promise<AsyncGenerator<string>> {
  authorize(actor, 'export leads', now)
  const search = await findPersonSearch(database.db, searchId, actor, now)
  const subject = search ? describeSearchedLeads(search.term, query) : query
  const id = await audit.record(actor, { action: 'exported leads', subject }, now)
  return streamAuditedExport(
    (onProgress) =>
      exportLeads(leadReader, { filter, keys: search?.keys, now }, format, onProgress),
    (leads) => pluralize(leads, 'lead'),
    (outcome) => audit.recordOutcome(id, outcome),
  )
}
