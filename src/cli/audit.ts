import { type Command, Option } from 'commander'
import { auditActions } from '#domain/operator/audit-action.ts'
import { findAccountByEmail } from '#server/operators/accounts.ts'
import type { AuditedAct, AuditFilter } from '#server/operators/audit.ts'
import { readAudit } from '#server/operators/read-audit.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { NotDoneError } from './errors.ts'
import { commandLineActor, withStore } from './store.ts'
import {
  fromMoment,
  isoTime,
  type Json,
  makeCommand,
  print,
  printJson,
  table,
  toMoment,
  wholeNumber,
} from './terminal.ts'

interface AuditOptions extends Json {
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
    .option('--from <when>', 'from a day, a time (UTC) or an age such as 24h', fromMoment)
    .option('--to <when>', 'until then; a day is included', toMoment)
    .option('--take <n>', 'the largest number of entries', wholeNumber(10_000), 50)
    .action(audit)

async function audit(options: AuditOptions): Promise<void> {
  const acts = await withStore(async (store) => {
    const query = { ...(await filterOf(store, options)), take: options.take }
    return readAudit({ audit: store.audit, clock: Date.now }, commandLineActor(), query)
  }, options)
  if (options.json) return printJson(acts)
  if (acts.length === 0) return print('No entries match.')
  print(
    table(['Time', 'Actor', 'Action', 'Target', 'Reason', 'Result', 'Network'], acts.map(rowOf)),
  )
}

async function filterOf(store: Store, options: AuditOptions): Promise<AuditFilter> {
  const { action, who, subject, from: since, to: until } = options
  const operator =
    who === undefined ? undefined : await findAccountByEmail(store.operators.db, emailAddress(who))
  if (who?.includes('@') && operator === undefined) {
    throw new NotDoneError(`There is no operator ${who}. Run “operators list” to see them all.`)
  }
  const user = operator === undefined ? who : undefined
  return { action, operatorId: operator?.id, user, subject, since, until }
}

const rowOf = (act: AuditedAct): string[] => [
  isoTime(act.at),
  act.who,
  act.action,
  act.toWhom ?? act.subject ?? '',
  act.reason ?? '',
  act.outcome ?? '',
  act.network ?? act.via,
]
