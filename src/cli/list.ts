import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Area, areas } from '#domain/area.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import {
  type FilterName,
  type LeadFilter,
  parseLeadFilter,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import { maskFilterQuery } from '#server/leads/lead-filters.ts'
import { type LeadSummary, toLeadSummary } from '#server/leads/read-leads.ts'
import { makeReferenceKey } from '#server/leads/search-keys.ts'
import { type EmailAddress, toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { listUnsearchedLeads } from './erase.ts'
import { CommandError, exitCodes } from './errors.ts'
import { runAudited, withStore } from './store.ts'
import {
  formatTable,
  type JsonOption,
  makeCommand,
  makeIntegerParser,
  parseRangeStart,
  print,
  printError,
  printJson,
  toIsoTime,
} from './terminal.ts'

interface ListOptions extends JsonOption, FilterOptions {
  readonly quarantined?: boolean
  readonly returned?: true
  readonly restored?: true
  readonly held?: true
  readonly unreadable?: true
  readonly email?: EmailAddress
  readonly since?: number
  readonly before?: string
  readonly take: number
}

export const listCommand = (): Command =>
  addFilterOptions(
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
          .argParser(parseStatus),
      )
      .addOption(new Option('--quarantined', 'only leads in quarantine').conflicts('status'))
      .option('--returned', 'only leads that the distributor took back')
      .option('--restored', 'only leads that may have been delivered since the restored backup')
      .option('--held', 'only leads that a cap holds until a later time')
      .option('--unreadable', 'only dead leads whose stored data cannot be read')
      .option(
        '--email <address>',
        'only this person’s leads, which “erase --email” would erase',
        toEmailAddress,
      ),
  )
    .option(
      '--since <when>',
      'received since a day, a time (UTC) or an age like 24h',
      parseRangeStart,
    )
    .option('--before <id>', 'only older leads than this lead: the next page', parseLeadId)
    .option('--take <n>', 'list at most this many leads', makeIntegerParser(999_999_999), 50)
    .action(runList)

async function runList(options: ListOptions): Promise<void> {
  const { json, take, quarantined, unreadable, area, source, campaign, since } = options
  const { filter, subject } = readFilter({
    status: unreadable ? 'dead' : quarantined ? 'quarantined' : options.status,
    error: unreadable && 'unreadable',
    restored: options.restored && 'in-doubt',
    returned: options.returned && 'yes',
    held: options.held && 'any',
    ...{ area, source, campaign },
    from: since === undefined ? undefined : toIsoTime(since),
  })
  // The list shows people's names, so the audit log records it, like a reveal on the console, without the address.
  const ofPerson = options.email === undefined ? [] : ['of a person']
  const leads = await withStore(
    (store) =>
      runAudited(
        store,
        { action: 'listed leads', subject: [subject || 'all', ...ofPerson].join(' ') },
        () => findLeads(store, options, filter),
        ({ length }) => `${length} shown`,
      ),
    options,
  )
  if (json) return printJson(leads)
  const last = leads.at(-1)
  if (last === undefined) return print('No leads match.')
  print(formatLeads(leads))
  if (leads.length === take) print(`\nThere may be more leads: --before ${last.id}`)
}

async function findLeads(
  { archive, erasure }: Store,
  { email, before, take }: ListOptions,
  filter: LeadFilter,
): Promise<readonly LeadSummary[]> {
  const now = Date.now()
  const person = email === undefined ? undefined : await erasure.find(email)
  for (const line of listUnsearchedLeads(person?.unsearched ?? [])) printError(line)
  const after = before === undefined ? undefined : (await archive.find(before, now))?.lead
  if (person?.ids.length === 0 || (before !== undefined && after === undefined)) return []
  const keys = person?.ids.map(makeReferenceKey)
  return (await archive.page({ filter, keys, after, now, take })).map(toLeadSummary)
}

/** The filters of the commands that list and export leads. */
export interface FilterOptions {
  readonly status?: LeadStatus | undefined
  readonly area?: Area
  readonly source?: string
  readonly campaign?: string
}

export const addFilterOptions = (command: Command): Command =>
  command
    .addOption(new Option('-a, --area <area>', 'only leads of this area').choices(areas))
    .option('--source <source>', 'only leads whose last touch has this source')
    .option('--campaign <campaign>', 'only leads whose last touch has this campaign')

/** Reads a filter from options, and describes it for the audit log like the query string of the console's list. */
export function readFilter(texts: Partial<Record<FilterName, string | undefined>>) {
  const { filter, given, faults } = parseLeadFilter((name) => {
    const text = texts[name]
    return text === undefined ? [] : [text]
  })
  const [fault] = Object.entries(faults)
  if (fault) throw new CommandError(`--${fault[0]}: ${fault[1]}`, exitCodes.usage)
  return { filter, subject: maskFilterQuery(toFilterQuery(given)) }
}

const formatLeads = (leads: readonly LeadSummary[]): string =>
  formatTable(
    ['Received', 'Status', 'Attempts', 'Area', 'Name', 'Program', 'Signals', 'Correction', 'Id'],
    leads.map((lead) => [
      new Date(lead.receivedAt).toISOString().slice(0, 19).replace('T', ' '),
      lead.status,
      String(lead.attempts),
      lead.area,
      lead.isUnreadable ? 'unreadable' : lead.name || '–',
      lead.programName || '–',
      lead.signals.join(' '),
      describeCorrection(lead),
      lead.id,
    ]),
  )

/** Names the lead that this lead corrects, or the leads that correct it (reading 23). */
function describeCorrection({ corrects, correctedBy }: LeadSummary): string {
  if (corrects !== null) return `corrects ${corrects}`
  return correctedBy.map((id) => `corrected by ${id}`).join(' ')
}

/** `--status quarantined` works, too, but the help shows only `--quarantined`. */
const shownStatuses = leadStatuses.filter((status) => status !== 'quarantined')

function parseStatus(text: string): LeadStatus {
  const status = leadStatuses.find((known) => known === text)
  if (status !== undefined) return status
  throw new InvalidArgumentError(`Allowed choices are ${shownStatuses.join(', ')}.`)
}

function parseLeadId(text: string): string {
  if (!isLeadId(text)) throw new InvalidArgumentError('Give the id of a lead, as “list” shows it.')
  return text
}
