import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Area, areas } from '#domain/area.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import type { LeadSummary } from '#server/leads/read-leads.ts'
import { type EmailAddress, emailAddress } from '#server/platform/email-address.ts'
import { describeUnsearched } from './erase.ts'
import { runAudited, withStore } from './store.ts'
import {
  fromMoment,
  type Json,
  makeCommand,
  print,
  printFault,
  printJson,
  table,
  wholeNumber,
} from './terminal.ts'

interface ListOptions extends Json {
  readonly status?: LeadStatus
  readonly quarantined?: boolean
  readonly restored?: boolean
  readonly unreadable?: boolean
  readonly email?: EmailAddress
  readonly area?: Area
  readonly since?: number
  readonly before?: string
  readonly take: number
}

export const listCommand = (): Command =>
  makeCommand('list', 'lists leads, newest first', {
    examples: [
      'list --status dead --since 7d',
      'list --quarantined',
      'list --area healthcare --json',
    ],
  })
    .addOption(
      new Option('-s, --status <status>', 'only leads with this status')
        .choices(shownStatuses)
        .argParser(statusOf),
    )
    .addOption(new Option('--quarantined', 'only leads in quarantine').conflicts('status'))
    .option('--restored', 'only leads that may have been delivered since the restored backup')
    .option('--unreadable', 'only dead leads whose stored data cannot be read')
    .option(
      '--email <address>',
      'only this person’s leads, which “erase --email” would erase',
      emailAddress,
    )
    .addOption(new Option('-a, --area <area>', 'only leads of this area').choices(areas))
    .option('--since <when>', 'received since a day, a time (UTC) or an age like 24h', fromMoment)
    .option('--before <id>', 'continue after this lead: the next page', leadId)
    .option('--take <n>', 'the largest number of leads', wholeNumber(999_999_999), 50)
    .action(list)

async function list(options: ListOptions): Promise<void> {
  const {
    json,
    email,
    quarantined,
    restored: isRestored,
    unreadable: isUnreadable,
    ...rest
  } = options
  const status = quarantined ? 'quarantined' : rest.status
  const choice = { ...rest, status, isRestored, isUnreadable }
  const leads = await withStore(async (store) => {
    const { archive, erasure } = store
    const { ids, unsearched } = email === undefined ? anyone : await erasure.find(email)
    for (const line of describeUnsearched(unsearched)) printFault(line)
    // The list shows people's names, which the console shows only on request.
    return runAudited(
      store,
      { action: 'listed leads', subject: describeFilter({ ...options, status }) },
      async () => (ids?.length === 0 ? [] : archive.list({ now: Date.now(), ...choice, ids })),
      ({ length }) => `${length} shown`,
    )
  }, options)
  if (json) return printJson(leads)
  const last = leads.at(-1)
  if (last === undefined) return print('No leads match.')
  print(formatColumns(leads))
  if (leads.length === rest.take) print(`\nThere may be more: --before ${last.id}`)
}

/** Describes the filter for the audit log. Of an email address it says only that one was given. */
const describeFilter = ({ email, json, take, since, ...rest }: ListOptions): string =>
  Object.entries({
    ...rest,
    ...(email === undefined ? {} : { email: '(an address)' }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ') || 'all'

const anyone = { ids: undefined, unsearched: [] }

const formatColumns = (leads: readonly LeadSummary[]): string =>
  table(
    ['Received', 'Status', 'Attempts', 'Area', 'Name', 'Program', 'Signals', 'Correction', 'Id'],
    leads.map((lead) => [
      new Date(lead.receivedAt).toISOString().slice(0, 19).replace('T', ' '),
      lead.status,
      String(lead.attempts),
      lead.area,
      lead.isUnreadable ? 'unreadable' : lead.name || '–',
      lead.programName || '–',
      lead.signals.join(' '),
      correctionOf(lead),
      lead.id,
    ]),
  )

/** Names the lead that this lead corrects, or the leads that correct it (reading 23). */
function correctionOf({ corrects, correctedBy }: LeadSummary): string {
  if (corrects !== null) return `corrects ${corrects}`
  return correctedBy.map((id) => `corrected by ${id}`).join(' ')
}

/** `--status quarantined` works, too, but the help shows only `--quarantined`. */
const shownStatuses = leadStatuses.filter((status) => status !== 'quarantined')

function statusOf(text: string): LeadStatus {
  const status = leadStatuses.find((known) => known === text)
  if (status !== undefined) return status
  throw new InvalidArgumentError(`Allowed choices are ${shownStatuses.join(', ')}.`)
}

function leadId(text: string): string {
  if (!isLeadId(text)) throw new InvalidArgumentError('Give the id of a lead, as “list” shows it.')
  return text
}
