import { pluralize } from '#domain/text/pluralize.ts'
import {
  type ExportFormat,
  exportPages,
  makeExportFormats,
} from '#server/platform/export-formats.ts'
import { listAccounts } from './accounts.ts'
import {
  type AuditFilter,
  type AuditQuery,
  type AuditRecord,
  streamAuditedExport,
} from './audit.ts'
import { authorize, type OperatorContext } from './authorize.ts'
import type { Actor } from './operator.ts'

export async function readAudit(
  { audit, clock }: Pick<OperatorContext, 'audit' | 'clock'>,
  actor: Actor,
  query: AuditQuery,
): Promise<readonly AuditRecord[]> {
  authorize(actor, 'see the audit log', clock())
  return audit.list(query)
}

/** Lists all operators and all users of the command line, whose names the audit log shows anyway. */
export async function readAuditActors({ db, audit, clock }: OperatorContext, actor: Actor) {
  authorize(actor, 'see the audit log', clock())
  const [operators, users] = await Promise.all([listAccounts(db), audit.users()])
  return { operators: operators.map(({ id, email }) => ({ id, email })), users }
}

export type AuditActors = Awaited<ReturnType<typeof readAuditActors>>

interface AuditExportRequest {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  /** The filter as a query string, for the audit entry about the export. */
  readonly subject: string
}

const formats = makeExportFormats<AuditRecord>([
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

/** Streams all matching audit entries as text, newest first. The entry about the export itself is not in the file. */
export async function exportAudit(
  { audit, clock }: Pick<OperatorContext, 'audit' | 'clock'>,
  actor: Actor,
  { filter, format, subject }: AuditExportRequest,
): Promise<AsyncGenerator<string>> {
  const now = clock()
  authorize(actor, 'export the audit log', now)
  const id = await audit.record(actor, { action: 'exported the audit', subject }, now)
  return streamAuditedExport(
    (onProgress) =>
      exportPages(
        formats[format],
        (after, take) => audit.list({ ...filter, before: after?.id ?? id, take }),
        onProgress,
      ),
    (done) => pluralize(done, 'entry', 'entries'),
    (outcome) => audit.recordOutcome(id, outcome),
  )
}
