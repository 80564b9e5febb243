import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { disclosure } from '#content/disclosure.ts'
import {
  educationLevels,
  findProgram,
  isOpenTo,
  type Program,
} from '#domain/catalogue/catalogue.ts'
import { type AttemptOutcome, shortLabel } from '#domain/delivery/outcome.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { asTest, type DistributorLead, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Settings } from '#server/config/settings.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { makeDistributor } from '#server/delivery/distributor.ts'
import type { SendResult } from '#server/delivery/distributor-reply.ts'
import { makeNewLead } from '#server/enquiries/new-lead.ts'
import { catalogueFile } from '#server/start/read-start.ts'
import { exitCodes, NotDoneError } from './errors.ts'
import { projectFolder, serverSettings } from './store.ts'
import { confirm, type Json, print, printJson, verb } from './terminal.ts'

interface TestLeadOptions extends Json {
  readonly program?: string
  readonly email: string
  readonly yes?: boolean
}

export const sendTestLeadCommand = (): Command =>
  verb('send-test-lead', 'sends the distributor one lead marked as a test and shows its response', {
    examples: ['send-test-lead', 'send-test-lead --program 15 --yes'],
    helpText: `
Sends a lead of nobody, with "test": true, to DISTRIBUTOR_URL at once, even while deliveries are paused. It isn't stored, so
no count, export or comparison contains it. A distributor that doesn't know the mark takes it for a lead: ask before.
Exit code: 0 accepted, 1 not accepted, 69 no complete answer.`,
  })
    .option('--program <id>', 'of the catalogue; else the first on offer')
    .option('--email <address>', 'where the distributor may write to', 'test-lead@example.com')
    .option('--yes', 'do it')
    .action(sendTestLead)

async function sendTestLead({ program, email, yes, json }: TestLeadOptions): Promise<void> {
  const settings = serverSettings()
  const url = distributorUrl(settings)
  const lead = makeTestLead(settings, chosenProgram(program), email)
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
  const words = describeTestResult(host, result)
  if (result.outcome.name !== 'delivered') throw new NotDoneError(words, exitCodeOf(result.outcome))
  if (!json) print(words)
}

/** In demo mode the distributor is the sandbox, which runs only while a server runs. Production has no sandbox. */
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

function describeTestResult(host: string, { outcome, said }: SendResult): string {
  const words = said === undefined ? '' : `\nIt wrote: ${said}`
  return `${host} ${verdictOf(outcome)} (${shortLabel(outcome)}).${words}\nThe test lead is stored nowhere.`
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

/** The North American numbering plan reserves 555-0100 to 555-0199 for fiction. */
const fictionalPhone = '9415550100'

/** Makes a lead that belongs to nobody, as the server would send it, but marked as a test. It is not stored. */
function makeTestLead(settings: Settings, program: Program, email: string): DistributorLead {
  const level = educationLevels.find(({ id }) => isOpenTo(program, id)) ?? educationLevels[0]
  const newLead = makeNewLead({
    clock: Date.now,
    disclosure: disclosure(settings.names.school),
  })
  const lead = newLead(
    {
      area: 'general',
      answers: {
        firstName: 'Test',
        lastName: 'Lead',
        phone: fictionalPhone,
        email,
        address: '123 Main St',
        zip: '34236',
        city: 'Sarasota',
        state: 'FL',
        previousEducation: String(level.id),
        graduatingYear: '2012',
        desiredProgram: String(program.id),
        startDate: startDates[0].id,
        confirmation: 'on',
      },
      program,
      addressVerified: false,
      zipPlus4: undefined,
      subId: undefined,
    },
    {
      ip: settings.fallbackIp,
      userAgent: '',
      pageUrl: settings.siteOrigin,
      gpc: false,
      openFor: undefined,
    },
  )
  return asTest(toDistributorLead(lead, settings.campaign, settings.fallbackIp))
}
