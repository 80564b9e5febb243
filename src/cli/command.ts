import { Command } from 'commander'
import type { CommandError } from './errors.ts'
import { type CommandContext, withStore } from './store.ts'
import { formatTable, type JsonOption, print, printJson } from './terminal.ts'

/** What a command prints at its end. */
export interface Report {
  /** Printed with --json. */
  readonly json: unknown
  /** Printed without --json. */
  readonly text?: string | undefined
  /** The error with which the command ends after the report. */
  readonly error?: CommandError | undefined
}

/** Makes a command with the option --json, and with examples and notes in its help. */
export function makeCommand(
  name: string,
  description: string,
  examples: readonly string[],
  notes = '',
): Command {
  const lines = examples.map((line) => `\n  npm run leads -- ${line}`).join('')
  return new Command(name)
    .description(description)
    .option('--json', 'print JSON')
    .addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:${lines}`)
    .addHelpText('after', notes)
}

/** Makes a command that groups other commands. @param example the group's most useful call */
export function makeCommandGroup(
  name: string,
  description: string,
  example: string,
  commands: readonly Command[],
): Command {
  const group = new Command(name).description(description)
  for (const command of commands) group.addCommand(command)
  const help = `\nEvery command has --json and --help.\n\nExample:\n  npm run leads -- ${name} ${example}`
  return group.addHelpText('after', help)
}

/** Commander calls an action with the command's arguments, its options and the command. */
const findOptions = (args: readonly unknown[]) => args.at(-2) as JsonOption

/** Makes a command's action. @param run gets the arguments and the options, and returns what the command prints */
export const reportAction =
  <Args extends readonly unknown[]>(run: (...args: Args) => Report | Promise<Report>) =>
  async (...args: readonly unknown[]): Promise<void> => {
    const { json, text, error } = await run(...(args as Args))
    if (findOptions(args).json) printJson(json)
    else if (text !== undefined) print(text)
    if (error !== undefined) throw error
  }

type StoreRun<Args extends readonly unknown[]> = (
  context: CommandContext,
  ...args: Args
) => Promise<Report>

/** Makes the action of a command that reads the store, even if its leads were moved elsewhere. */
export const readStoreAction = <Args extends readonly unknown[]>(run: StoreRun<Args>) =>
  reportAction((...args: Args) => withStore((context) => run(context, ...args), findOptions(args)))

/** Makes the action of a command that changes something in the store. */
export const changeStoreAction = <Args extends readonly unknown[]>(run: StoreRun<Args>) =>
  reportAction((...args: Args) =>
    withStore((context) => run(context, ...args), findOptions(args), { changes: true }),
  )

/** Reports rows as JSON, or as a table. @param cells returns a row's cells by heading */
export function reportRows<Row>(
  rows: readonly Row[],
  cells: (row: Row) => Readonly<Record<string, string>>,
  empty: string,
): Report {
  const [first] = rows
  if (first === undefined) return { json: rows, text: empty }
  const lines = rows.map((row) => Object.values(cells(row)))
  return { json: rows, text: formatTable(Object.keys(cells(first)), lines) }
}
