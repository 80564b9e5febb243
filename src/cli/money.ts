import { type Command, InvalidArgumentError } from 'commander'
import { type Day, formatIsoTime, formatMonth, parseMonth } from '#domain/calendar.ts'
import type { Statement } from '#domain/money/statement.ts'
import { formatDollars } from '#domain/text/formats.ts'
import type { SpendColumns } from '#server/money/parse-spend.ts'
import { findLastMonth } from '#server/money/statements.ts'
import { describeImport, maxCsvLines } from '#server/platform/mapped-csv.ts'
import { affiliateHelp } from './affiliates.ts'
import { makeCommand, makeCommandGroup, type Report } from './command.ts'
import { readCsvFile, refuseCsvFile } from './csv-file.ts'
import { CommandError, exitCodes } from './errors.ts'
import { makeProgramOption } from './program-option.ts'
import type { CommandContext } from './store.ts'
import { type ConfirmOption, confirm, formatTable, skipConfirmation } from './terminal.ts'

export const makeMoneyCommands = (): readonly Command[] => [
  makeCommandGroup(
    'statements',
    'what each affiliate is owed for a month',
    'show a7 --month 2026-11',
    [
      makeCommand('list', 'lists the statements of a month', ['statements list --month 2026-11'])
        .option('--month <month>', monthHelp, parseMonthOption)
        .readsStore(runList),
      makeCommand('show', 'shows an affiliate’s statement', ['statements show a7 --month 2026-11'])
        .argument('<affiliate id>', affiliateHelp)
        .option('--month <month>', monthHelp, parseMonthOption)
        .readsStore(runShow),
      makeCommand(
        'close',
        'freezes the numbers of a statement; later returns are on the next one',
        ['statements close a7 --month 2026-11'],
      )
        .argument('<affiliate id>', affiliateHelp)
        .option('--month <month>', monthHelp, parseMonthOption)
        .option('--yes', skipConfirmation)
        .changesStore(runClose),
    ],
  ),
  makeCommandGroup(
    'revenue',
    'what the distributor pays for an accepted lead',
    'set 60.00 --from 2026-12-01',
    [
      makeCommand('set', 'sets the revenue of leads that are accepted from a day on', [
        'revenue set 60.00 --from 2026-12-01',
        'revenue set 75.00 --from 2026-12-01 --program 15',
      ])
        .argument('<dollars>', 'US dollars for each accepted lead')
        .option('--from <day>', 'the first day (default: today)')
        .addOption(makeProgramOption('revenue'))
        .changesStore(runSetRevenue),
    ],
  ),
  makeCommandGroup('spend', 'what ads cost', 'import spend.csv', [
    makeCommand(
      'import',
      'records the ad spend of a CSV file',
      ['spend import spend.csv', 'spend import spend.csv --day Date --amount Cost'],
      `
The file has a line of headings, and at most ${maxCsvLines.toLocaleString('en-US')} lines, each with a day, a source, a campaign and an amount in US dollars.
If any line is wrong, nothing is imported. Importing a file again changes nothing; another amount of the same day, source
and campaign replaces the earlier one. The store remembers the headings for the next import.`,
    )
      .argument('<file>', 'the file')
      .option('--day <heading>', 'the heading of the column with the days')
      .option('--source <heading>', 'the heading of the column with the sources')
      .option('--campaign <heading>', 'the heading of the column with the campaigns; "" for none')
      .option('--amount <heading>', 'the heading of the column with the amounts')
      .changesStore(runImport),
  ]),
]

const monthHelp = 'a month such as 2026-11 (default: the last month)'

function parseMonthOption(text: string): Day {
  const month = parseMonth(text)
  if (month !== undefined) return month
  throw new InvalidArgumentError('Give a month, such as 2026-11.')
}

interface MonthOption {
  readonly month?: Day
}

const findMonth = ({ store, settings }: CommandContext, { month }: MonthOption): Day =>
  month ?? findLastMonth(store.clock(), settings.delivery.zone)

async function findStatement({ actions, actor }: CommandContext, text: string, month: Day) {
  const id = (await actions.affiliates.find(actor, text))?.id ?? text
  const statement = await actions.statements.find(actor, id, month)
  if (statement) return statement
  throw new CommandError('No affiliate has this id. “affiliates list” shows all affiliates.')
}

const toJson = ({ month, closed, ...statement }: Statement) => ({
  ...statement,
  month: formatMonth(month),
  closed: closed !== undefined,
})

const describeState = ({ closed }: Statement, zone: string): string =>
  closed === undefined ? 'open' : `closed ${formatIsoTime(closed.at, zone)} by ${closed.by}`

async function runList(context: CommandContext, options: MonthOption): Promise<Report> {
  const month = findMonth(context, options)
  const statements = await context.actions.statements.list(context.actor, month)
  const { zone } = context.settings.delivery
  const rows = statements.map((statement) => [
    statement.name,
    ...[statement.accepted, statement.returned, statement.reversed].map(String),
    formatDollars(statement.owedCents),
    describeState(statement, zone),
  ])
  const headings = ['Affiliate', 'Accepted', 'Returned', 'Reversed', 'Owed', 'Statement']
  return {
    json: statements.map(toJson),
    text: `Statements of ${formatMonth(month)}\n\n${formatTable(headings, rows)}`,
  }
}

async function runShow(context: CommandContext, id: string, options: MonthOption): Promise<Report> {
  const statement = await findStatement(context, id, findMonth(context, options))
  const { name, month, lines, accepted, returned, reversed, owedCents } = statement
  const rows = [
    ...lines.map((line) => [
      line.payoutCents === null ? 'none' : formatDollars(line.payoutCents),
      ...[line.accepted, line.returned, line.reversed].map(String),
      formatDollars(line.owedCents),
    ]),
    ['total', ...[accepted, returned, reversed].map(String), formatDollars(owedCents)],
  ]
  const headings = ['Payout', 'Accepted', 'Returned', 'Reversed', 'Owed']
  const state = describeState(statement, context.settings.delivery.zone)
  return {
    json: toJson(statement),
    text: `${name}, ${formatMonth(month)}: ${state}\n\n${formatTable(headings, rows)}`,
  }
}

async function runClose(
  context: CommandContext,
  id: string,
  { yes, ...options }: ConfirmOption & MonthOption,
): Promise<Report> {
  const month = findMonth(context, options)
  const open = await findStatement(context, id, month)
  const what = `the statement of ${open.name} for ${formatMonth(month)}`
  if (!yes && open.closed === undefined) {
    await confirm(`Close ${what} with ${formatDollars(open.owedCents)}? Nobody can open it again.`)
  }
  const outcome = await context.actions.statements.close(context.actor, open.affiliate, month)
  if (outcome === 'closed before')
    throw new CommandError(`Nothing was changed: ${what} is already closed.`)
  if (outcome === 'not over') {
    throw new CommandError(`Nothing was changed: ${formatMonth(month)} is not over.`)
  }
  const statement = await findStatement(context, open.affiliate, month)
  return {
    json: toJson(statement),
    text: `Closed ${what}: ${formatDollars(statement.owedCents)} owed.`,
  }
}

async function runSetRevenue(
  { actions, actor }: CommandContext,
  amount: string,
  { from = '', program = '' }: { readonly from?: string; readonly program?: string },
): Promise<Report> {
  const given = { amount, startsOn: from, program }
  const errors = await actions.datedValues.set(actor, 'revenue', given)
  const faults = [
    errors.amount,
    errors.startsOn && `--from: ${errors.startsOn}`,
    errors.program && `--program: ${errors.program}`,
  ]
  const found = faults.filter((fault) => fault !== undefined)
  if (found.length > 0) {
    throw new CommandError(`${found.join('\n')}\nNothing was changed.`, exitCodes.usage)
  }
  return {
    json: { set: true },
    text: 'The revenue was set. Leads that were accepted before keep theirs.',
  }
}

async function runImport(
  { actions: { spend }, actor }: CommandContext,
  file: string,
  { json: _, ...given }: Partial<SpendColumns> & { readonly json?: boolean },
): Promise<Report> {
  const text = await readCsvFile(file)
  const result = await spend.import(actor, text, { ...(await spend.columns()), ...given })
  if (result.kind === 'refused') return refuseCsvFile(file, result)
  return { json: result, text: `Ad spend imported: ${describeImport(result)}.` }
}
