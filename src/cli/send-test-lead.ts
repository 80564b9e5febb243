import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { makeSpecifiedDisclosureText } from '#content/site-texts.ts'
import {
  educationLevels,
  findProgram,
  isProgramOpenTo,
  type Program,
} from '#domain/catalogue/catalogue.ts'
import { formatOutcome } from '#domain/delivery/outcome.ts'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import {
  type DistributorLead,
  markLeadAsTest,
  toDistributorLead,
} from '#domain/lead/distributor-lead.ts'
import type { Settings } from '#server/config/settings.ts'
import { catalogueFile, readCatalogue } from '#server/content/read-catalogue.ts'
import { makeDistributorClient, type SendResult } from '#server/delivery/distributor-client.ts'
import { makeLead } from '#server/enquiries/submit-enquiry.ts'
import { makeCommand } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import { projectFolder, readServerSettings } from './store.ts'
import { type ConfirmOption, confirm } from './terminal.ts'

interface TestLeadOptions extends ConfirmOption {
  readonly program?: string
  readonly email: string
}

export const makeSendTestLeadCommand = (): Command =>
  makeCommand(
    'send-test-lead',
    'sends the distributor one lead marked as a test and shows the response',
    ['send-test-lead', 'send-test-lead --program 15 --yes'],
    `
This command sends an invented lead with "test": true to DISTRIBUTOR_URL at once, even while deliveries are paused. The lead
isn't stored, so no count or export contains it. A distributor that doesn't support "test" treats this lead as a real one:
ask the distributor first.
Exit code: 0 accepted, 1 not accepted, 69 no complete answer.`,
  )
    .option('--program <id>', 'the id of a program (default: the first program on offer)')
    .option(
      '--email <address>',
      'the test lead’s email address, to which the distributor may write',
      'test-lead@example.com',
    )
    .option('--yes', 'skip the confirmation (required in scripts)')
    .reports(sendTestLead)

async function sendTestLead({ program, email, yes }: TestLeadOptions) {
  const settings = readServerSettings()
  const url = findDistributorUrl(settings)
  const lead = makeTestLead(settings, chooseProgram(program), email)
  const { host } = new URL(url)
  if (!yes && !process.stdin.isTTY) {
    throw new CommandError('Nothing was sent. Give --yes to send the test lead.', exitCodes.usage)
  }
  if (!yes) await confirm(`Send ${host} a lead that is marked as a test?`)
  const { distributorEncoding: encoding } = settings.thirdParties
  const distributor = makeDistributorClient({ url, encoding, timeoutMs: settings.delivery.timeout })
  const result = await distributor.send(lead, randomUUID(), new AbortController().signal)
  const json = { host, lead, ...result }
  const text = describeTestResult(host, result)
  const { name } = result.outcome
  if (name === 'delivered') return { json, text }
  const isAnswered = name !== 'unreachable' && name !== 'unknown'
  const exitCode = isAnswered ? exitCodes.notDone : exitCodes.unavailable
  return { json, error: new CommandError(text, exitCode) }
}

/** Returns the distributor's URL. In demo mode the default is the sandbox, which answers only while a server runs. */
function findDistributorUrl({ thirdParties, sandboxPort }: Settings): string {
  if (thirdParties.distributorUrl !== undefined) return thirdParties.distributorUrl
  if (process.env.APP_MODE === 'production') {
    throw new CommandError(
      'Nothing was sent: DISTRIBUTOR_URL is not set for this command. “check” lists every missing setting.',
      exitCodes.configuration,
    )
  }
  return `http://127.0.0.1:${sandboxPort}/incoming/leads`
}

function chooseProgram(id: string | undefined): Program {
  const read = readCatalogue(resolve(projectFolder, catalogueFile))
  if (!read.ok) {
    throw new CommandError(
      `${catalogueFile} has faults. “catalogue check” lists them.`,
      exitCodes.configuration,
    )
  }
  const program = id === undefined ? read.programs[0] : findProgram(read.programs, id)
  if (program !== undefined) return program
  throw new CommandError(`No program on offer has the id ${id}.`, exitCodes.usage)
}

function describeTestResult(host: string, { outcome, response }: SendResult): string {
  const line = response === undefined ? '' : `\nResponse: ${response}`
  return `${host}: ${outcome.name} (${formatOutcome(outcome)}).${line}\nThe test lead was not stored.`
}

/** The North American numbering plan reserves 555-0100 to 555-0199 for fiction. */
const fictionalPhone = '9415550100'

function makeTestLead(settings: Settings, program: Program, email: string): DistributorLead {
  const level = educationLevels.find(({ id }) => isProgramOpenTo(program, id)) ?? educationLevels[0]
  const answers = {
    ...emptyAnswers,
    firstName: 'Test',
    lastName: 'Lead',
    phone: fictionalPhone,
    email,
    address: '123 Main St',
    zip: '34236',
    city: 'Sarasota',
    state: 'FL',
    educationLevel: String(level.id),
    graduatingYear: '2012',
    programId: String(program.id),
    startDate: startDates[0].id,
    confirmation: 'on',
  }
  const checked = { addressVerified: false, zipPlus4: undefined }
  const visitor = { userAgent: '', pageUrl: settings.siteOrigin, gpc: false }
  const lead = makeLead(
    { area: 'general', answers, program, ...checked, subId: undefined, attribution: null },
    { ip: settings.fallbackIp, ...visitor },
    Date.now(),
    makeSpecifiedDisclosureText(settings.names.school),
  )
  return markLeadAsTest(toDistributorLead(lead, settings.campaign, settings.fallbackIp))
}
