import { Command } from 'commander'
import type { CommandError } from './errors.ts'
import { assertNotMoved, type CommandContext, withStore } from './store.ts'
import { formatTable, type JsonOption, print, printJson } from './terminal.ts'

/** What a command prints at its end. */
export interface Report {
  /** Printed with --json. */
  readonly json?: unknown
  /** Printed without --json. */
  readonly text?: string | undefined
  /** The error with which the command ends after the report. */
  readonly error?: CommandError | undefined
}

/** A command whose action returns what the command prints. Actions get the command's arguments and then its options. */
export class ReportingCommand extends Command {
  reports<Args extends readonly unknown[]>(run: (...args: Args) => Report | Promise<Report>): this {
    return this.action(async (...given: readonly unknown[]) => {
      // Commander adds the command itself as the last argument.
      const { json, text, error } = await run(...(given.slice(0, -1) as unknown as Args))
      if (this.opts<JsonOption>().json && json !== undefined) printJson(json)
      else if (text !== undefined) print(text)
      if (error !== undefined) throw error
    })
  }

  /** Opens the store for an action that only reads, which may also run on a store whose leads were moved elsewhere. */
  readsStore<Args extends readonly unknown[]>(run: StoreRun<Args>): this {
    return this.reports((...args: Args) =>
      withStore((context) => run(context, ...args), this.opts()),
    )
  }

  /** Opens the store for an action that changes something. */
  changesStore<Args extends readonly unknown[]>(run: StoreRun<Args>): this {
    return this.readsStore((context, ...args: Args) => {
      assertNotMoved(context.state)
      return run(context, ...args)
    })
  }
}

type StoreRun<Args extends readonly unknown[]> = (
  context: CommandContext,
  ...args: Args
) => Promise<Report>

/** Makes a command with the option --json, and with examples and notes in its help. */
export function makeCommand(
  name: string,
  description: string,
  examples: readonly string[],
  notes = '',
): ReportingCommand {
  const lines = examples.map((line) => `\n  npm run leads -- ${line}`).join('')
  return new ReportingCommand(name)
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
