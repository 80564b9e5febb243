import { Command, CommanderError } from 'commander'
import { versionText } from '#server/platform/observability/log.ts'
import { makeAffiliatesCommand } from './affiliates.ts'
import { makeBackupAndMoveCommands } from './backup-and-move.ts'
import { makeCheckCommands } from './check.ts'
import { makeDeliveryCommands } from './deliveries.ts'
import { makeDoNotContactCommand } from './do-not-contact.ts'
import { makeErasureCommands } from './erase.ts'
import { CommandError, exitCodes, toCommandError } from './errors.ts'
import { makeJobsCommand } from './jobs.ts'
import { makeExportCommand, makeListCommand } from './list-and-export.ts'
import { makeMoneyCommands } from './money.ts'
import { makeOperatorAndAuditCommands } from './operators-and-audit.ts'
import { makeSendTestLeadCommand } from './send-test-lead.ts'
import { makeShowCommand } from './show.ts'
import { makeStatsCommand } from './stats.ts'
import { printError } from './terminal.ts'
import { makeNotificationCommands } from './webhooks.ts'

/** The text has no line ends, because Commander keeps line ends and wraps lines at the terminal's width. */
const helpText = [
  'Commands for operators. Once a visitor reads “Information Received”, the enquiry is a stored lead.',
  'A worker delivers each lead to the distributor. A lead is pending until the distributor answers, and leased while a',
  'worker makes an attempt. Then the lead is delivered or rejected, or dead once its retries are used up: a dead lead',
  'waits for you. A duplicate is not delivered. A quarantined lead looks like abuse and is delivered only after you',
  'release it. An erased lead has no personal data.',
].join(' ')

const helpFooter = `
Commands use the server’s store: DATA_DIR (./data), or DATABASE_URL if it is set; under systemd the store that
/etc/campus-enquiry/store.env names. Each report begins with the store’s name, on stderr if stdout is JSON or an export. No
command creates a store. Every command except migrate-to works while the server runs.
Exit code: 0 done, 1 not done, 2 wrong usage, 69 store missing or unreachable, 78 wrong configuration.`

/** Escapes invisible characters in Commander's error messages, which quote the operator's arguments. */
const output = { writeErr: (text: string) => printError(text.trimEnd()) }

function redirectOutput(command: Command): Command {
  for (const subcommand of command.commands) redirectOutput(subcommand)
  return command
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('Add --help to see all commands, arguments and options.')
}

/** Makes the command `leads`, whose help lists the subcommands from the most to the least frequent. */
export function makeLeadsCommand(): Command {
  const leads = new Command('leads')
    .description(helpText)
    .usage('<command> [options]      (run as: npm run leads -- <command>)')
    .version(versionText)
    .addHelpText('after', helpFooter)
  const commands = [
    makeStatsCommand(),
    makeListCommand(),
    makeShowCommand(),
    ...makeDeliveryCommands(),
    makeExportCommand(),
    ...makeErasureCommands(),
    makeJobsCommand(),
    makeDoNotContactCommand(),
    makeAffiliatesCommand(),
    ...makeMoneyCommands(),
    ...makeNotificationCommands(),
    ...makeOperatorAndAuditCommands(),
    ...makeCheckCommands(),
    makeSendTestLeadCommand(),
    ...makeBackupAndMoveCommands(),
  ]
  for (const command of commands) leads.addCommand(command)
  return leads
}

/** Runs a command, and prints an error if the command fails. @returns the exit code */
export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  try {
    await redirectOutput(command).parseAsync(args, { from: 'user' })
    return 0
  } catch (thrown) {
    // Commander has already printed its error or its help; after help, its exit code is 0.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exitCodes.usage
    const error = toCommandError(thrown)
    if (error instanceof CommandError) {
      printError(error.message)
      return error.exitCode
    }
    // Node itself would print all properties of an unexpected error, without escaping them.
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return exitCodes.notDone
  }
}
