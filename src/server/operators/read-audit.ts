import { formatIsoTime } from '#domain/calendar.ts'
import { maskAffiliateId } from '#domain/lead/mask-lead.ts'
import { pluralize } from '#domain/text/formats.ts'
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
  type ChangedValue,
  streamAuditedExport,
} from './audit.ts'
import { authorize, isAllowedFor } from './authorize.ts'
import type { Actor } from './operator.ts'
import type { OperatorContext } from './operator-context.ts'

export async function readAudit(
  { audit, clock }: Pick<OperatorContext, 'audit' | 'clock'>,
  actor: Actor,
  query: AuditQuery,
): Promise<readonly AuditRecord[]> {
  authorize(actor, 'see the audit log', clock())
  const entries = await audit.list(query)
  // Only operators who may change webhooks and affiliates see all of their values.
  return isAllowedFor(actor, 'change webhooks')
    ? entries
    : entries.map((entry) => ({ ...entry, changes: entry.changes.map(hideFromOthers) }))
}

/** Hides URLs except for their hosts, because a URL may contain a key, and ids that may be a person's. */
function hideFromOthers([name, before, after]: ChangedValue): ChangedValue {
  const hide = (text: string) => {
    if (name === 'ids') return text.split('\n').map(maskAffiliateId).join('\n')
    return name === 'postback' || name === 'URL' ? (URL.parse(text)?.host ?? '') : text
  }
  return [name, hide(before), hide(after)]
}

/** Returns a text such as `payout: 10.00 → 12.50; notes: none → paid monthly`. */
export const describeChangedValues = (changes: readonly ChangedValue[]): string =>
  changes
    .map(([name, ...values]) => `${name}: ${values.map((text) => text || 'none').join(' → ')}`)
    .join('; ')

/** Lists all operators and all users of the command line, whose names the audit log shows anyway. */
export async function readAuditActors({ db, audit, clock }: OperatorContext, actor: Actor) {
  authorize(actor, 'see the audit log', clock())
  const [operators, users] = await Promise.all([listAccounts(db), audit.users()])
  return { operators: operators.map(({ id, email }) => ({ id, email })), users }
}

export type AuditActors = Awaited<ReturnType<typeof readAuditActors>>

const makeFormats = (zone: string) =>
  makeExportFormats<AuditRecord>([
    { name: 'id', read: ({ id }) => id },
    { name: 'at', read: ({ at }) => formatIsoTime(at, zone) },
    { name: 'who', read: ({ who }) => who },
    { name: 'operator_id', read: ({ operatorId }) => operatorId },
    { name: 'via', read: ({ via }) => via },
    { name: 'network', read: ({ network }) => network },
    { name: 'action', read: ({ action }) => action },
    { name: 'subject', read: ({ subject }) => subject },
    { name: 'reason', read: ({ reason }) => reason },
    { name: 'outcome', read: ({ outcome }) => outcome },
    { name: 'target', read: ({ target }) => target },
    { name: 'changes', read: ({ changes }) => describeChangedValues(changes) },
  ])

interface AuditExportRequest {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  /** The filter as a query string, for the audit entry about the export. */
  readonly subject: string
  readonly zone: string
}

/**
 * Streams all matching audit entries as text, newest first. The entry about the export itself is not in the file.
 */
export async function exportAudit(
  { audit, clock }: Pick<OperatorContext, 'audit' | 'clock'>,
  actor: Actor,
  { filter, format, subject, zone }: AuditExportRequest,
): Promise<AsyncGenerator<string>> {
  const now = clock()
  authorize(actor, 'export the audit log', now)
  const id = await audit.record(actor, { action: 'exported the audit', subject }, now)
  return streamAuditedExport(
    (onProgress) =>
      exportPages(
        makeFormats(zone)[format],
        (after, take) => audit.list({ ...filter, before: after?.id ?? id, take }),
        onProgress,
      ),
    (done) => pluralize(done, 'entry', 'entries'),
    (outcome) => audit.recordOutcome(id, outcome),
  )
}
