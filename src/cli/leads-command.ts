import { Command } from 'commander'
import { describeVersion } from '#server/platform/observability/log.ts'
import { catalogueCommand } from './check/catalogue.ts'
import { checkCommand } from './check/check.ts'
import { contentCommand } from './check/content.ts'
import { pauseCommand, resumeCommand } from './deliveries/pause-and-resume.ts'
import { retryCommand } from './deliveries/retry.ts'
import { settleCommand } from './deliveries/settle.ts'
import { jobsCommand } from './jobs/jobs.ts'
import { eraseCommand } from './leads/erase.ts'
import { exportCommand } from './leads/export.ts'
import { listCommand } from './leads/list.ts'
import { releaseCommand } from './leads/release.ts'
import { retainCommand } from './leads/retain.ts'
import { showCommand } from './leads/show.ts'
import { statsCommand } from './leads/stats.ts'
import { auditCommand } from './operators/audit.ts'
import { operatorsCommand, signInLinkCommand } from './operators/operators.ts'
import { backupCommand } from './store/backup.ts'
import { migrateToCommand } from './store/migrate-to.ts'
import { restoredCommand } from './store/restored.ts'
import { printFault } from './terminal/print.ts'
import { sendTestLeadCommand } from './test-lead/send-test-lead.ts'

const about = [
  'The operator’s hand on the leads. Every enquiry that a visitor was thanked for is a stored lead; a lead owes the',
  'distributor a delivery, which is tried until there is an answer. It is pending, or leased while a worker has it, until',
  'it is delivered, rejected, or dead: then its retries are used up and it waits for you. A duplicate owes none. A',
  'quarantined lead looked like abuse and owes none until you release it. An erased lead has lost its person’s data and is',
  'never sent.',
].join(' ')

const afterword = `
The store is that of the server: DATA_DIR (./data), or DATABASE_URL where it is set; under systemd what
/etc/campus-enquiry/store.env says. Each report names it first, on stderr where stdout is JSON or an export. No verb makes a
store. Every verb may be used while the server runs, except migrate-to.
Exit code: 0 done, 1 not done, 2 wrong usage, 69 no store or not reachable, 78 configuration.`

/** Commander quotes what was typed wrong. */
const output = { writeErr: (text: string) => printFault(text.trimEnd()) }

/** Prints the errors of a command and its subcommands through our own output. */
function heard(verb: Command): Command {
  for (const part of verb.commands) heard(part)
  return verb.exitOverride().configureOutput(output)
}

/** In the order of an operator's day: look, repair, export, move. */
export function leadsCommand(): Command {
  const leads = new Command('leads')
    .description(about)
    .usage('<verb> [options]      (run as: npm run leads -- <verb>)')
    .version(describeVersion)
    .addHelpText('after', afterword)
  const verbs = [
    statsCommand(),
    listCommand(),
    showCommand(),
    releaseCommand(),
    retryCommand(),
    settleCommand(),
    pauseCommand(),
    resumeCommand(),
    exportCommand(),
    eraseCommand(),
    retainCommand(),
    jobsCommand(),
    operatorsCommand(),
    signInLinkCommand(),
    auditCommand(),
    catalogueCommand(),
    contentCommand(),
    sendTestLeadCommand(),
    backupCommand(),
    restoredCommand(),
    migrateToCommand(),
  ]
  for (const verb of verbs) leads.addCommand(heard(verb))
  // In a clone its name is `npm run check`. An installed release and a container have no npm, so it is a verb as well.
  leads.addCommand(heard(checkCommand()), { hidden: true })
  return leads.exitOverride().configureOutput(output)
}
