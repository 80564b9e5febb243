import type { Lead } from '#domain/lead/lead.ts'
import { type ExportFormat, textFormats } from '#server/platform/export-formats.ts'
import type { LeadChoice } from '../read-leads.ts'
import { exportColumns } from './export-columns.ts'
import type { ExportedLead } from './exported-lead.ts'

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
 * The text of the leads, a page at a time: whoever reads it slowly holds it up, so that memory does not grow with the
 * number of leads.
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
