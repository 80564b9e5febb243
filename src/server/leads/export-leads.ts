import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { type AuditLog, recordExportOutcome } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { type ExportFormat, exportPages, makeTextFormats } from '#server/platform/export-formats.ts'
import { exportColumns } from './export-columns.ts'
import type { LeadCursor } from './find-leads.ts'
import type { LeadIndex } from './lead-index.ts'
import type { LeadReader, LeadWithLastAttempt } from './read-leads.ts'
import { findSearchKeys } from './search-leads.ts'

/** Reads a page of leads, oldest first, after the lead `after` if it is given. */
type ReadPage = (
  after: LeadCursor | undefined,
  take: number,
) => Promise<readonly LeadWithLastAttempt[]>

const formats = makeTextFormats(exportColumns)

/** Yields the text of an export of leads. */
export const exportLeads = (
  page: ReadPage,
  format: ExportFormat,
  onProgress?: (done: number) => void,
): AsyncGenerator<string> =>
  exportPages(formats[format], (after, take) => page(after?.lead, take), onProgress)

export interface ExportRequest {
  readonly filter: LeadFilter
  readonly searchId: string | undefined
  readonly format: ExportFormat
  /** The filter as a URL query, for the audit log. */
  readonly subject: string
}

interface ExportStore {
  readonly index: LeadIndex
  readonly archive: LeadReader
  readonly audit: AuditLog
}

/**
 * Exports the leads that match a filter and were received before the export began, oldest first, with the same code as
 * the command line. The audit log records each export.
 */
export async function exportFoundLeads(
  { audit, index, archive }: ExportStore,
  actor: ConsoleActor,
  order: ExportRequest,
  now: number,
): Promise<AsyncGenerator<string>> {
  authorize(actor, 'export leads', now)
  const { searchId, format, subject } = order
  const filter = { ...order.filter, until: Math.min(order.filter.until ?? now, now) }
  const keys = await findSearchKeys(index.searches, searchId, actor, now)
  const id = await audit.record(actor, { action: 'exported leads', subject }, now)
  const search = { filter, keys, now, towards: 'newer' } as const
  const page: ReadPage = (after, take) => archive.page({ ...search, after, take })
  return recordExportOutcome(
    (onProgress) => exportLeads(page, format, onProgress),
    (leads) => pluralize(leads, 'lead'),
    (outcome) => audit.recordOutcome(id, outcome),
  )
}
