import { Command, InvalidArgumentError, Option } from 'commander'
import { type AuditedAct, auditActions } from '#server/use-cases/operators/audit.ts'
import { makeReadAudit } from '#server/use-cases/operators/read-audit.ts'
import { withStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { fromMoment, toMoment } from '../terminal/moment.ts'
import { print, printJson } from '../terminal/print.ts'
import { table } from '../terminal/table.ts'
import { commandLineActor } from './command-line-actor.ts'

interface AuditOptions {
  readonly action?: string
  readonly subject?: string
  readonly from?: number
  readonly to?: number
  readonly take: number
  readonly json?: boolean
}

export const auditCommand = (): Command =>
  new Command('audit')
    .description('who did what, when, from where, why, and to what: the newest first')
    .addOption(new Option('--action <act>', 'only those').choices(auditActions))
    .option('--subject <id>', 'only what was done to this lead, operator or job')
    .option('--from <when>', 'since a day, a time (UTC) or an age like 24h', fromMoment)
    .option('--to <when>', 'before then; a day counts to its end', toMoment)
    .option('--take <n>', 'how many at most', wholeNumber, 50)
    .option('--json', 'as JSON')
    .addHelpText('after', examples('audit', 'audit --subject 019bc0de-… --json'))
    .action(audit)

async function audit({ from: since, to: until, json, ...filter }: AuditOptions): Promise<void> {
  const acts = await withStore(
    (store) =>
      makeReadAudit(store.audit, Date.now)(commandLineActor(), { ...filter, since, until }),
    { json },
  )
  if (json) return printJson(acts)
  if (acts.length === 0) return print('Nothing that matches has been done.')
  print(table(['When', 'Who', 'Did', 'To', 'Why', 'What came of it', 'From'], acts.map(rowOf)))
}

const rowOf = ({
  at,
  who,
  action,
  subject,
  reason,
  outcome,
  network,
  via,
}: AuditedAct): string[] => [
  new Date(at).toISOString(),
  who,
  action,
  subject ?? '',
  reason ?? '',
  outcome ?? '',
  network ?? via,
]

function wholeNumber(text: string): number {
  const n = Number(text)
  if (Number.isInteger(n) && n >= 1 && n <= 10_000) return n
  throw new InvalidArgumentError('Give a whole number from 1 to 10000.')
}
