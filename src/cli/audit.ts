import { type Command, Option } from 'commander'
import { auditActions } from '#domain/operator/audit-action.ts'
import { findAccountByEmail } from '#server/operators/accounts.ts'
import type { AuditFilter } from '#server/operators/audit.ts'
import { readAudit } from '#server/operators/read-audit.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { CommandError } from './errors.ts'
import { commandLineActor, withStore } from './store.ts'
import {
  type JsonOption,
  makeCommand,
  makeIntegerParser,
  parseEndTime,
  parseStartTime,
  printRows,
  toIsoTime,
} from './terminal.ts'

interface AuditOptions extends JsonOption {
  readonly action?: string
  readonly who?: string
  readonly subject?: string
  readonly from?: number
  readonly to?: number
  readonly take: number
}

export const auditCommand = (): Command =>
  makeCommand('audit', 'shows the audit log, newest first', {
    examples: ['audit', 'audit --who ada@example.edu --from 7d'],
  })
    .addOption(new Option('--action <action>', 'only this action').choices(auditActions))
    .option(
      '--who <who>',
      'only this actor: an operator’s email address, or a user of the command line',
    )
    .option('--subject <id>', 'only actions on this lead, operator or job')
    .option('--from <when>', 'from a day, a time (UTC) or an age such as 24h', parseStartTime)
    .option('--to <when>', 'before a time or an age; a day is included', parseEndTime)
    .option('--take <n>', 'list at most this many entries', makeIntegerParser(10_000), 50)
    .action(runAudit)

async function runAudit(options: AuditOptions): Promise<void> {
  const entries = await withStore(async (store) => {
    const query = { ...(await toAuditFilter(store, options)), take: options.take }
    return readAudit({ audit: store.audit, clock: Date.now }, commandLineActor(), query)
  }, options)
  printRows(
    entries,
    options,
    (entry) => ({
      Time: toIsoTime(entry.at),
      Actor: entry.who,
      Action: entry.action,
      Target: entry.toWhom ?? entry.subject ?? '',
      Reason: entry.reason ?? '',
      Result: entry.outcome ?? '',
      Network: entry.network ?? entry.via,
    }),
    'No entries match.',
  )
}

async function toAuditFilter(store: Store, options: AuditOptions): Promise<AuditFilter> {
  const { action, who, subject, from: since, to: until } = options
  const operator =
    who === undefined
      ? undefined
      : await findAccountByEmail(store.operators.db, toEmailAddress(who))
  if (who?.includes('@') && operator === undefined) {
    throw new CommandError(`There is no operator ${who}. “operators list” shows all operators.`)
  }
  const user = operator === undefined ? who : undefined
  return { action, operatorId: operator?.id, user, subject, since, until }
}
