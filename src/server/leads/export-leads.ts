import type { Kysely } from 'kysely'
import type { AttemptReason, OutcomeName } from '#domain/delivery/outcome.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { type AuditLog, recordExportOutcome } from '#server/operators/audit.ts'

import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type ExportFormat, textFormats } from '#server/platform/export-formats.ts'
import { exportColumns } from './export-columns.ts'
import type { LeadFinder, LeadPlace, LeadSearch } from './find-leads.ts'
import type { LeadChoice, LeadRecord } from './read-leads.ts'
import { searchedKeys } from './search-leads.ts'

export interface LeadPages {
  /** The oldest first, after the lead `after` where that is given. Status is derived at `now`. */
  page(
    query: LeadChoice & {
      readonly now: number
      readonly after?: Pick<Lead, 'id' | 'receivedAt'> | undefined
      readonly take: number
    },
  ): Promise<readonly ExportedLead[]>
  /** How many there are, for a progress bar. */
  count(choice: LeadChoice & { readonly now: number }): Promise<number>
}

/** Far more costs memory, far less costs time. */
const pageSize = 500

/**
 * The text of the leads, a page at a time: a slow reader slows it down, so that memory does not
 * grow with the number of leads.
 */
export async function* exportLeads(
  pages: LeadPages,
  choice: LeadChoice & { readonly now: number },
  format: ExportFormat,
  onProgress: (done: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { header, line } = formats[format]
  let done = 0
  let after: ExportedLead['lead'] | undefined
  yield header
  do {
    const page = await pages.page({ ...choice, after, take: pageSize })
    after = page.length === pageSize ? page.at(-1)?.lead : undefined
    if (page.length > 0) yield page.map(line).join('')
    done += page.length
    onProgress(done)
  } while (after !== undefined)
}

const formats = textFormats(exportColumns)

export type ExportedLead = LeadRecord<{
  readonly attempts: number
  readonly lastOutcome: OutcomeName | null
  /** Our word for why the last attempt did not deliver; null where none is known. */
  readonly lastReason: AttemptReason | null
  /** The distributor's response to the last attempt, verbatim; null if it was empty. */
  readonly lastResponse: string | null
}>

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

/** How far a file is that is being written. */
export interface ExportProgress {
  /** Leads written. */
  readonly done: number
  readonly state: 'running' | 'whole' | 'cut off'
}

/** In the store, as another console process may be asked. */
export interface ExportProgresses {
  keep(id: string, operatorId: string, progress: ExportProgress, now: number): Promise<void>
  /** Undefined where it has not begun, or is another operator's. */
  find(id: string, operatorId: string): Promise<ExportProgress | undefined>
}

/** A page asks once a second. */
const keptEvery = 1000

/** Stores the progress now and then; a failure does not stop the export. */
export function keepProgress(
  keep: (progress: ExportProgress) => Promise<void>,
): (progress: ExportProgress) => void {
  let keptAt = Number.NEGATIVE_INFINITY
  let last = Promise.resolve()
  return (progress) => {
    if (progress.state === 'running' && performance.now() - keptAt < keptEvery) return
    keptAt = performance.now()
    last = last.then(() => keep(progress)).catch(() => undefined)
  }
}

export const makeReadExportProgress =
  (progresses: Pick<ExportProgresses, 'find'>, clock: () => number) =>
  async (actor: ConsoleActor, id: string): Promise<ExportProgress | undefined> => {
    authorise(actor, 'see leads', clock())
    return progresses.find(id, actor.id)
  }

const keptForMs = 60 * 60 * 1000

/** @param now epoch milliseconds */
export async function deleteExpiredExportProgress(
  db: Kysely<StoreTables>,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('export_progress')
    .where('began_at', '<', now - keptForMs)
    .execute()
}

export const makeExportProgresses = (db: Kysely<StoreTables>): ExportProgresses => ({
  keep: async (id, operator_id, { done, state }, now) => {
    await retryConflicts(async () => {
      await deleteExpiredExportProgress(db, now)
      await db
        .insertInto('export_progress')
        .values({ id, operator_id, began_at: now, done, state })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ done, state, began_at: now })
            .where('export_progress.operator_id', '=', operator_id),
        )
        .execute()
    })
  },
  find: (id, operatorId) =>
    retryConflicts(() =>
      db
        .selectFrom('export_progress')
        .select(['done', 'state'])
        .where('id', '=', id)
        .where('operator_id', '=', operatorId)
        .executeTakeFirst(),
    ),
})
