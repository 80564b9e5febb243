import { Command, InvalidArgumentError, Option } from 'commander'
import { type AuditedAct, type AuditFilter, auditActions } from '#server/operators/audit/audit.ts'
import { makeExportAudit } from '#server/operators/audit/export-audit.ts'
import { makeReadAudit } from '#server/operators/audit/read-audit.ts'
import type { Actor } from '#server/operators/operator.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { ExportFormat } from '#server/platform/export/text-formats.ts'
import type { Store } from '#server/start/open-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'
import { withStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { fromMoment, toMoment } from '../terminal/moment.ts'
import { print, printJson } from '../terminal/print.ts'
import { table } from '../terminal/table.ts'
import { writeOut } from '../terminal/write-out.ts'
import { commandLineActor } from './command-line-actor.ts'

interface AuditOptions {
  readonly action?: string
  readonly who?: string
  readonly via?: Actor['kind']
  readonly subject?: string
  readonly format?: ExportFormat
  readonly output?: string
  readonly from?: number
  readonly to?: number
  readonly take: number
  readonly json?: boolean
}

export const auditCommand = (): Command =>
  new Command('audit')
    .description('who did what, when, from where, why, and to what: the newest first')
    .addOption(new Option('--action <act>', 'only those').choices(auditActions))
    .option('--who <who>', 'only theirs: an operator’s email, or a user of the command line')
    .addOption(new Option('--via <way>', 'only those').choices(['console', 'command line']))
    .option('--subject <id>', 'only what was done to this lead, operator or job')
    .option('--from <when>', 'since a day, a time (UTC) or an age like 24h', fromMoment)
    .option('--to <when>', 'before then; a day counts to its end', toMoment)
    .option('--take <n>', 'how many at most', wholeNumber, 50)
    .addOption(
      new Option('-f, --format <format>', 'all that match, as a file').choices(['csv', 'jsonl']),
    )
    .option('-o, --output <file>', 'that file, there once it is whole; without it stdout')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'audit',
        'audit --who ada@example.edu --from 7d',
        'audit --format csv --output audit.csv',
      ),
    )
    .action(audit)

async function audit(options: AuditOptions): Promise<void> {
  const { format, output, take, json } = options
  if (output !== undefined && format === undefined) {
    throw new NotDoneError('Give --format with --output: csv or jsonl.', exitCodes.usage)
  }
  const isForProgram = json || (format !== undefined && output === undefined)
  const acts = await withStore(
    async (store) => {
      const filter = await filterOf(store, options)
      if (format !== undefined) return writeFile(store, { filter, format, output })
      const { list } = makeReadAudit({ ...store, ...store.operators, clock: Date.now })
      return list(commandLineActor(), { ...filter, take })
    },
    { json: isForProgram },
  )
  if (acts === undefined) return
  if (json) return printJson(acts)
  if (acts.length === 0) return print('Nothing that matches has been done.')
  print(table(['When', 'Who', 'Did', 'To', 'Why', 'What came of it', 'From'], acts.map(rowOf)))
}

async function filterOf(store: Store, options: AuditOptions): Promise<AuditFilter> {
  const { action, who, via, subject, from: since, to: until } = options
  const operator =
    who === undefined ? undefined : await store.operators.accounts.findByEmail(emailAddress(who))
  if (who?.includes('@') && operator === undefined) {
    throw new NotDoneError(`There is no operator ${who}. “operators list” shows them.`)
  }
  const user = operator === undefined ? who : undefined
  return { action, operatorId: operator?.id, user, via, subject, since, until }
}

interface FileOrder {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  readonly output: string | undefined
}

async function writeFile(store: Store, { filter, format, output }: FileOrder): Promise<undefined> {
  const exportAudit = makeExportAudit({ audit: store.audit, clock: Date.now })
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined)
  const subject = parts.map(([name, value]) => `${name}=${value}`).join('&')
  await writeOut(await exportAudit(commandLineActor(), { filter, format, subject }), output)
}

const rowOf = ({
  at,
  who,
  action,
  subject,
  toWhom,
  reason,
  outcome,
  network,
  via,
}: AuditedAct): string[] => [
  new Date(at).toISOString(),
  who,
  action,
  toWhom ?? subject ?? '',
  reason ?? '',
  outcome ?? '',
  network ?? via,
]

function wholeNumber(text: string): number {
  const n = Number(text)
  if (Number.isInteger(n) && n >= 1 && n <= 10_000) return n
  throw new InvalidArgumentError('Give a whole number from 1 to 10000.')
}
