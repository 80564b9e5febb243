import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { type AuditLog, recordExportOutcome } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'
import { exportLeads, type LeadPages } from '../export/export-leads.ts'
import type { ExportedLead } from '../export/exported-lead.ts'
import { type ExportProgresses, keepProgress } from './export-progress.ts'
import type { LeadFinder, LeadPlace, LeadSearch } from './lead-finder.ts'
import { searchedKeys } from './searched-keys.ts'

export interface ExportOrder {
  readonly filter: LeadFilter
  readonly searchId: string | undefined
  readonly format: ExportFormat
  /** By which its page asks how far it is. */
  readonly progressId?: string | undefined
  /** The filter as the audit has it: as in an address. */
  readonly subject: string
}

interface ExportPorts {
  readonly finder: Pick<LeadFinder, 'find' | 'count' | 'searches'>
  readonly pages: Pick<LeadPages, 'page'>
  readonly progresses: Pick<ExportProgresses, 'keep'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/**
 * The text of what a filter means, by the command line's own code, the oldest first: of leads that were received before the
 * export began. Each export is in the audit.
 */
export const makeExportFoundLeads =
  ({ finder, pages, progresses, audit, clock }: ExportPorts) =>
  async (actor: ConsoleActor, order: ExportOrder): Promise<AsyncGenerator<string>> => {
    const now = clock()
    authorise(actor, 'export leads', now)
    const { searchId, format, subject, progressId } = order
    const filter = { ...order.filter, until: Math.min(order.filter.until ?? now, now) }
    const keys = await searchedKeys(finder.searches, searchId, actor, now)
    const found: LeadPages = {
      page: ({ after, take }) =>
        readPage({ finder, pages }, { filter, keys, after, take, now, towards: 'newer' }),
      count: async () => (await finder.count({ filter, keys, now })).leads,
    }
    const id = await audit.record(actor, { action: 'exported leads', subject }, now)
    const keep = keepProgress(async (progress) => {
      if (progressId !== undefined) await progresses.keep(progressId, actor.id, progress, clock())
    })
    let done = 0
    return recordExportOutcome(
      (onProgress) =>
        exportLeads(found, { now }, format, (soFar) => {
          done = soFar
          onProgress(done)
          keep({ done, state: 'running' })
        }),
      (leads) => `${leads.toLocaleString('en-US')} ${leads === 1 ? 'lead' : 'leads'}`,
      async (outcome) => {
        keep({ done, state: outcome.startsWith('cut off') ? 'cut off' : 'whole' })
        await audit.recordOutcome(id, outcome)
      },
    )
  }

/** Full, unless there are no more: what is found in several looks is one page. */
async function readPage(
  { finder, pages }: Pick<ExportPorts, 'finder' | 'pages'>,
  search: LeadSearch,
): Promise<readonly ExportedLead[]> {
  const ids: string[] = []
  let after: LeadPlace | undefined = search.after
  do {
    const found = await finder.find({ ...search, after, take: search.take - ids.length })
    ids.push(...found.leads.map(({ id }) => id))
    after = found.next
  } while (after !== undefined && ids.length < search.take)
  return ids.length === 0 ? [] : pages.page({ ids, now: search.now, take: ids.length })
}
