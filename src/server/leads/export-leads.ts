import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { type AuditLog, recordExportOutcome } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { type ExportFormat, makeTextFormats } from '#server/platform/export-formats.ts'
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

/** A much larger page would need more memory, and a much smaller page more time. */
const pageSize = 500

/** Yields the export's text page by page, as fast as the reader takes it, so memory use does not grow. */
export async function* exportLeads(
  page: ReadPage,
  format: ExportFormat,
  onProgress: (done: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { header, line } = formats[format]
  let done = 0
  let after: LeadCursor | undefined
  yield header
  do {
    const leads = await page(after, pageSize)
    after = leads.length === pageSize ? leads.at(-1)?.lead : undefined
    if (leads.length > 0) yield leads.map(line).join('')
    done += leads.length
    onProgress(done)
  } while (after !== undefined)
}

const formats = makeTextFormats(exportColumns)

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
    (leads) => `${leads.toLocaleString('en-US')} ${leads === 1 ? 'lead' : 'leads'}`,
    (outcome) => audit.recordOutcome(id, outcome),
  )
}
