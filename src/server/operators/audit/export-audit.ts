import { type ExportFormat, textFormats } from '#server/platform/export/text-formats.ts'
import { authorise } from '../authorise.ts'
import type { Actor } from '../operator.ts'
import type { AuditedAct, AuditFilter, AuditLog } from './audit.ts'
import { recordedText } from './recorded-text.ts'

export interface AuditExportOrder {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  /** The filter as the audit has it: as in an address. */
  readonly subject: string
}

const pageSize = 500

const formats = textFormats<AuditedAct>([
  { name: 'id', read: ({ id }) => id },
  { name: 'at', read: ({ at }) => new Date(at).toISOString() },
  { name: 'who', read: ({ who }) => who },
  { name: 'operator_id', read: ({ operatorId }) => operatorId },
  { name: 'via', read: ({ via }) => via },
  { name: 'network', read: ({ network }) => network },
  { name: 'action', read: ({ action }) => action },
  { name: 'subject', read: ({ subject }) => subject },
  { name: 'reason', read: ({ reason }) => reason },
  { name: 'outcome', read: ({ outcome }) => outcome },
])

/** The text of what a filter means, the newest first, any number: that it is taken is an act itself, and not in it. */
export const makeExportAudit =
  ({ audit, clock }: { readonly audit: AuditLog; readonly clock: () => number }) =>
  async (
    actor: Actor,
    { filter, format, subject }: AuditExportOrder,
  ): Promise<AsyncGenerator<string>> => {
    const now = clock()
    authorise(actor, 'export the audit', now)
    const id = await audit.record(actor, { action: 'exported the audit', subject }, now)
    return recordedText(
      (onProgress) => writeActs(audit, { filter, before: id, format }, onProgress),
      (done) => `${done.toLocaleString('en-US')} ${done === 1 ? 'act' : 'acts'}`,
      (outcome) => audit.recordOutcome(id, outcome),
    )
  }

async function* writeActs(
  audit: Pick<AuditLog, 'list'>,
  asked: Pick<AuditExportOrder, 'filter' | 'format'> & { readonly before: string },
  onProgress: (done: number) => void,
): AsyncGenerator<string> {
  const { header, line } = formats[asked.format]
  let before: string | undefined = asked.before
  let done = 0
  yield header
  while (before !== undefined) {
    const acts: readonly AuditedAct[] = await audit.list({
      ...asked.filter,
      before,
      take: pageSize,
    })
    before = acts.length === pageSize ? acts.at(-1)?.id : undefined
    done += acts.length
    onProgress(done)
    if (acts.length > 0) yield acts.map(line).join('')
  }
}
