import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { findProgram, type Program } from '#domain/catalogue/catalogue.ts'
import { type AttemptOutcome, briefly } from '#domain/delivery/outcome.ts'
import type { Settings } from '#server/config/settings.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { makeDistributor } from '#server/delivery/distributor.ts'
import type { SendResult } from '#server/delivery/distributor-reply.ts'
import { catalogueFile } from '#server/start/read-start.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { projectFolder, serverSettings } from '../server-settings.ts'
import { confirm, examples, print, printJson } from '../terminal/print.ts'
import { makeTestLead } from './make-test-lead.ts'

interface TestLeadOptions {
  readonly program?: string
  readonly email: string
  readonly yes?: boolean
  readonly json?: boolean
}

const about = `
Goes to DISTRIBUTOR_URL at once, past pause and queue, in DISTRIBUTOR_ENCODING: nobody’s lead, with "test": true. It is
stored nowhere, so that no count, export or comparison ever meets it. A distributor that does not know the mark takes it
for a lead: ask before. 0: it was taken. 1: it was not, and what was answered is said. 69: there was no whole answer.`

export const sendTestLeadCommand = (): Command =>
  new Command('send-test-lead')
    .description('sends the distributor one lead marked as a test and shows its response')
    .option('--program <id>', 'of the catalogue; else the first on offer')
    .option('--email <address>', 'where the distributor may write to', 'test-lead@example.com')
    .option('--yes', 'do it')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('send-test-lead', 'send-test-lead --program 15 --yes'))
    .addHelpText('after', about)
    .action(sendTestLead)

async function sendTestLead({ program, email, yes, json }: TestLeadOptions): Promise<void> {
  const settings = serverSettings()
  const url = distributorUrl(settings)
  const lead = makeTestLead(settings, { program: chosenProgram(program), email })
  const { host } = new URL(url)
  if (!yes && !process.stdin.isTTY) {
    throw new NotDoneError('Nothing was sent: give --yes.', exitCodes.usage)
  }
  if (!yes)
    await confirm(
      `Send ${host} a lead for program ${lead.lead_education.program_id}, marked as a test?`,
    )
  const { distributorEncoding: encoding } = settings.thirdParties
  const distributor = makeDistributor({ url, encoding, timeoutMs: settings.delivery.timeout })
  const result = await distributor.send(lead, randomUUID(), new AbortController().signal)
  if (json) printJson({ host, lead, ...result })
  const words = inWords(host, result)
  if (result.outcome.name !== 'delivered') throw new NotDoneError(words, exitCodeOf(result.outcome))
  if (!json) print(words)
}

/** In demo mode the sandbox that a server has started: without one it is not reached. Production has none. */
function distributorUrl({ thirdParties, sandboxPort }: Settings): string {
  if (thirdParties.distributorUrl !== undefined) return thirdParties.distributorUrl
  if (process.env.APP_MODE === 'production') {
    throw new NotDoneError(
      'Nothing was sent: DISTRIBUTOR_URL is not set for this command. “check” lists what else is.',
      exitCodes.configuration,
    )
  }
  return `http://127.0.0.1:${sandboxPort}/incoming/leads`
}

function chosenProgram(id: string | undefined): Program {
  const read = readCatalogue(resolve(projectFolder, catalogueFile))
  if (!read.ok) {
    throw new NotDoneError(
      `${catalogueFile} is at fault: npm run leads -- catalogue check`,
      exitCodes.configuration,
    )
  }
  const program = id === undefined ? read.programs[0] : findProgram(read.programs, id)
  if (program !== undefined) return program
  throw new NotDoneError(`No program on offer has the id ${id}.`, exitCodes.usage)
}

function inWords(host: string, { outcome, said }: SendResult): string {
  const words = said === undefined ? '' : `\nIt wrote: ${said}`
  return `${host} ${verdictOf(outcome)} (${briefly(outcome)}).${words}\nThe test lead is stored nowhere.`
}

function verdictOf(outcome: AttemptOutcome): string {
  switch (outcome.name) {
    case 'delivered':
      return 'took the test lead'
    case 'rejected':
      return 'read the test lead and rejected it'
    case 'refused':
      return 'refuses us: its address, our key or our campaign is wrong, or it takes no test'
    case 'busy':
      return 'says that it is busy: try again later'
    case 'broken':
      return 'answered something that is not its contract'
    case 'unreachable':
      return 'was not reached'
    case 'unknown':
      return 'gave no whole answer: it may have the test lead'
    case 'not-made':
      return 'was not called'
  }
}

const exitCodeOf = ({ name }: AttemptOutcome): number =>
  name === 'unreachable' || name === 'unknown' ? exitCodes.unavailable : exitCodes.notDone
