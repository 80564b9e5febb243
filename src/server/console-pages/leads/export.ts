import type { ExportOrder } from '#server/leads/export-leads.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { ConsoleContext } from '../console-env.ts'
import { readForm } from '../read-form.ts'
import { type AssertStillAllowed, isFormat, sendText } from '../send-text.ts'
import { isValidRequest, readAddressIn } from './leads-address.ts'

export type ExportFoundLeads = (
  actor: ConsoleActor,
  order: ExportOrder,
) => Promise<AsyncGenerator<string>>

/**
 * The export of the leads that a form's filter selects; undefined for an invalid filter. It is
 * written while it is read.
 */
export async function sendExport(
  c: ConsoleContext,
  {
    exportFoundLeads,
    assertStillMay,
  }: { exportFoundLeads: ExportFoundLeads; assertStillMay: AssertStillAllowed },
  now: number,
): Promise<Response | undefined> {
  const form = await readForm(c, 'query', 'search', 'format')
  const asked = readAddressIn(form.query)
  const { read, address } = asked
  const { format } = form
  if (form.lacks('query') || !isValidRequest(asked) || !isFormat(format)) return undefined
  const searchId = form.search || undefined
  const text = await exportFoundLeads(c.get('actor'), {
    filter: read.filter,
    searchId,
    format,
    subject:
      searchId === undefined ? address.query : `${address.query} of a person searched for`.trim(),
  })
  return sendText(c, text, { name: 'leads', format, at: now }, () =>
    assertStillMay(c, 'export leads'),
  )
}
