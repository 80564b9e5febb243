import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Area, areas } from '#domain/area.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import {
  type LeadFilter,
  type LeadFilterField,
  parseLeadFilter,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { leadExportColumns } from '#server/leads/export-columns.ts'
import { exportLeads } from '#server/leads/export-leads.ts'
import { maskFilterQuery } from '#server/leads/lead-filters.ts'
import { type LeadSummary, toLeadSummary } from '#server/leads/read-leads.ts'
import { makeReferenceKey } from '#server/leads/search-keys.ts'
import { type EmailAddress, toEmailAddress } from '#server/platform/email-address.ts'
import { addByteOrderMark, type ExportFormat } from '#server/platform/export-formats.ts'
import type { Store } from '#server/store/open-store.ts'
import { describeUnsearchedLeads } from './erase.ts'
import { CommandError, exitCodes } from './errors.ts'
import { runCommandWithAudit, withStore } from './store.ts'
import {
  type JsonOption,
  makeCommand,
  makeIntegerParser,
  parseEndTime,
  parseStartTime,
  print,
  printError,
  printJson,
  printRows,
  toIsoTime,
  writeOutput,
} from './terminal.ts'

interface ListOptions extends JsonOption, FilterOptions {
  readonly quarantined?: boolean
  readonly returned?: true
  readonly rejected?: true
  readonly restored?: true
  readonly held?: true
  readonly unreadable?: true
  readonly email?: EmailAddress
  readonly since?: number
  readonly before?: string
  readonly take: number
}

export const makeListCommand = (): Command =>
  addFilterOptions(
    makeCommand('list', 'lists leads, newest first', {
      examples: [
        'list --status dead --since 7d',
        'list --quarantined',
        'list --area healthcare --json',
      ],
    })
      .addOption(new Option('--quarantined', 'only leads in quarantine').conflicts('status'))
      .option('--returned', 'only leads that the distributor took back')
      .option('--rejected', 'only leads that the distributor rejected, even if they wait again')
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
      'only leads received since a day, a time (UTC) or an age like 24h',
      parseStartTime,
    )
    .option('--before <id>', 'only leads older than this lead, for the next page', parseLeadId)
    .option('--take <n>', 'list at most this many leads', makeIntegerParser(999_999_999), 50)
    .action(runList)

async function runList(options: ListOptions): Promise<void> {
  const { json, take, quarantined, unreadable, since } = options
  const { filter, subject } = readFilter({
    ...pickFilterOptions(options),
    status: unreadable ? 'dead' : quarantined ? 'quarantined' : options.status,
    error: unreadable && 'unreadable',
    restored: options.restored && 'in-doubt',
    returned: options.returned && 'yes',
    rejected: options.rejected && 'any',
    held: options.held && 'any',
    from: since === undefined ? undefined : toIsoTime(since),
  })
  // The list shows people's names, so the audit log records this command, but not the email address in its options.
  const ofPerson = options.email === undefined ? [] : ['of a person']
  const leads = await withStore(
    (store) =>
      runCommandWithAudit(
        store,
        { action: 'listed leads', subject: [subject || 'all', ...ofPerson].join(' ') },
        () => readListedLeads(store, options, filter),
        ({ length }) => `${length} shown`,
      ),
    options,
  )
  printRows(
    leads,
    options,
    (lead) => ({
      Received: new Date(lead.receivedAt).toISOString().slice(0, 19).replace('T', ' '),
      Status: lead.status,
      Attempts: String(lead.attempts),
      Area: lead.area,
      Name: lead.isUnreadable ? 'unreadable' : lead.name || '–',
      Program: lead.programName || '–',
      Signals: lead.signals.join(' '),
      Correction: describeCorrection(lead),
      Id: lead.id,
    }),
    'No leads match.',
  )
  if (leads.length === take && !json) {
    print(`\nThere may be more leads: add --before ${leads.at(-1)?.id}`)
  }
}

async function readListedLeads(
  { leadReader, erasure, clock }: Store,
  { email, before, take }: ListOptions,
  filter: LeadFilter,
): Promise<readonly LeadSummary[]> {
  const now = clock()
  const person = email === undefined ? undefined : await erasure.find(email)
  for (const line of describeUnsearchedLeads(person?.unsearched ?? [])) printError(line)
  const after = before === undefined ? undefined : (await leadReader.find(before, now))?.lead
  if (person?.ids.length === 0 || (before !== undefined && after === undefined)) return []
  const keys = person?.ids.map(makeReferenceKey)
  return (await leadReader.page({ filter, keys, after, now, take })).map(toLeadSummary)
}

/** The filter options that the commands `list` and `export` share. */
interface FilterOptions {
  readonly status?: LeadStatus | undefined
  readonly area?: Area
  readonly affiliate?: string
  readonly source?: string
  readonly campaign?: string
}

const addFilterOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('-s, --status <status>', 'only leads with this status').choices(leadStatuses),
    )
    .addOption(new Option('-a, --area <area>', 'only leads of this area').choices(areas))
    .option('--affiliate <id>', 'only leads with this affiliate id, in upper or lower case')
    .option('--source <source>', 'only leads whose last touch has this source, in any case')
    .option('--campaign <campaign>', 'only leads whose last touch has this campaign, in any case')

/** The compiler reports a filter option that is missing here, which `list` and `export` would otherwise ignore. */
const pickFilterOptions = ({ status, area, affiliate, source, campaign }: FilterOptions) =>
  ({ status, area, affiliate, source, campaign }) satisfies Record<keyof FilterOptions, unknown>

/** Reads a lead filter from options. `subject` describes the filter for the audit log, as a query string. */
function readFilter(texts: Partial<Record<LeadFilterField, string | undefined>>) {
  const { filter, given, faults } = parseLeadFilter((name) => [texts[name] ?? []].flat())
  const [fault] = Object.entries(faults)
  if (fault) throw new CommandError(`--${fault[0]}: ${fault[1]}`, exitCodes.usage)
  return { filter, subject: maskFilterQuery(toFilterQuery(given)) }
}

/** Names the lead that this lead corrects, or the leads that correct it (reading 23). */
function describeCorrection({ corrects, correctedBy }: LeadSummary): string {
  if (corrects !== null) return `corrects ${corrects}`
  return correctedBy.map((id) => `corrected by ${id}`).join(' ')
}

function parseLeadId(text: string): string {
  if (!isLeadId(text)) throw new InvalidArgumentError('Give the id of a lead, as “list” shows it.')
  return text
}

interface ExportOptions extends JsonOption, FilterOptions {
  readonly format?: ExportFormat
  readonly from?: number
  readonly to?: number
  readonly output?: string
  readonly bom?: true
}

export const makeExportCommand = (): Command =>
  addFilterOptions(
    makeCommand('export', 'writes leads, oldest first, as CSV (RFC 4180) or JSON lines', {
      examples: [
        'export --format csv --status delivered --from 2026-01-01 --output leads.csv',
        'export --format jsonl | head',
      ],
      helpText: `
Columns: ${leadExportColumns.map(({ name }) => name).join(', ')}.
The export has the SHA-256 of the consent text, not the text itself, which thousands of leads share.
Times are ISO 8601 in UTC. In CSV, text that a spreadsheet would run as a formula begins with an apostrophe. Invisible
characters are escaped as in JSON: \\u202e. The answers of an erased lead are empty.
With --output, --json prints the report as JSON; without --output, --json means --format jsonl.`,
    }).addOption(
      new Option('-f, --format <format>', 'csv, or jsonl with --json').choices(['csv', 'jsonl']),
    ),
  )
    .option(
      '--from <when>',
      'only leads received since a day, a time (UTC) or an age like 24h',
      parseStartTime,
    )
    .option(
      '--to <when>',
      'only leads received before a time (UTC), longer ago than an age such as 24h, or up to the end of a day',
      parseEndTime,
    )
    .option('--bom', 'begin CSV with a byte order mark, which Excel needs to show “Ó”')
    .option('-o, --output <file>', 'write into this file, which only you can read (mode 600)')
    .action(runExport)

async function runExport(options: ExportOptions): Promise<void> {
  const { output, json } = options
  const isForProgram = json || output === undefined
  const leads = await withStore((store) => writeLeads(store, options), { json: isForProgram })
  if (output === undefined) return
  if (json) return printJson({ leads, output })
  print(`${pluralize(leads, 'lead')} in ${output}. The file contains personal data.`)
}

async function writeLeads(store: Store, options: ExportOptions): Promise<number> {
  const { from, to, output, json } = options
  const toText = (at: number | undefined) => (at === undefined ? undefined : toIsoTime(at))
  const texts = { ...pickFilterOptions(options), from: toText(from), to: toText(to) }
  const { filter, subject } = readFilter(texts)
  let leads = 0
  const format = options.format ?? (json && !output ? 'jsonl' : 'csv')
  if (options.bom && format !== 'csv') {
    throw new CommandError('--bom is for CSV: JSON Lines have no byte order mark.', exitCodes.usage)
  }
  const text = exportLeads(
    store.leadReader,
    { filter, keys: undefined, now: store.clock() },
    format,
    (done) => {
      leads = done
    },
  )
  await runCommandWithAudit(
    store,
    { action: 'exported leads', subject },
    () => writeOutput(options.bom ? addByteOrderMark(text, format) : text, output),
    () => pluralize(leads, 'lead'),
  )
  return leads
}
