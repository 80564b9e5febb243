import { type Command, Option } from 'commander'
import { areas } from '#domain/area.ts'
import { formatDay, formatIsoTime } from '#domain/calendar.ts'
import {
  type LeadFilter,
  type LeadFilterField,
  parseLeadFilter,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { pluralize } from '#domain/text/formats.ts'
import { leadExportColumns } from '#server/leads/export-columns.ts'
import { exportLeads } from '#server/leads/export-leads.ts'
import { maskFilterQuery } from '#server/leads/lead-filters.ts'
import { type LeadSummary, toLeadSummary } from '#server/leads/read-leads.ts'
import { makeReferenceKey } from '#server/leads/search-keys.ts'
import { type EmailAddress, toEmailAddress } from '#server/platform/email-address.ts'
import { addByteOrderMark, type ExportFormat } from '#server/platform/export-formats.ts'
import { makeCommand, type ReportingCommand, reportRows } from './command.ts'
import { describeUnsearchedLeads } from './erase.ts'
import { CommandError, exitCodes } from './errors.ts'
import { makeRangeOption, type RangeOptions, readPeriods } from './range-options.ts'
import { type CommandContext, runCommandWithAudit, withStore } from './store.ts'
import {
  type JsonOption,
  makeIntegerParser,
  parseWhen,
  printError,
  writeOutput,
} from './terminal.ts'

/** The options whose names are fields of the lead filter, with their values. */
type FilterOptions = Readonly<Partial<Record<LeadFilterField, string>>> &
  Pick<RangeOptions, 'range'>

const addFilterOptions = (command: ReportingCommand): ReportingCommand =>
  command
    .addOption(
      new Option('-s, --status <status>', 'only leads with this status').choices(leadStatuses),
    )
    .addOption(new Option('-a, --area <area>', 'only leads of this area').choices(areas))
    .option('--affiliate <id>', 'only leads with this affiliate id, in upper or lower case')
    .option('--source <source>', 'only leads whose last touch has this source, in any case')
    .option('--campaign <campaign>', 'only leads whose last touch has this campaign, in any case')
    .addOption(makeRangeOption('only leads received in this range'))

/** The filter options of `list` alone. The preset is the value of the filter's field. */
const listOptions = [
  new Option('--quarantined', 'only leads in quarantine').conflicts('status'),
  new Option('--returned', 'only leads that the distributor took back').preset('yes'),
  new Option(
    '--rejected',
    'only leads that the distributor rejected, even if they wait again',
  ).preset('any'),
  new Option(
    '--restored',
    'only leads that may have been delivered since the restored backup',
  ).preset('in-doubt'),
  new Option('--held', 'only leads that a cap holds until a later time').preset('any'),
  new Option('--unreadable', 'only dead leads whose stored data cannot be read'),
]

interface ListOptions extends FilterOptions {
  readonly quarantined?: true
  readonly unreadable?: true
  readonly email?: EmailAddress
  readonly since?: string
  readonly take: number
}

export function makeListCommand(): Command {
  const examples = [
    'list --status dead --since 7d',
    'list --quarantined',
    'list --area healthcare --json',
  ]
  const command = addFilterOptions(makeCommand('list', 'lists leads, newest first', examples))
  for (const option of listOptions) command.addOption(option)
  return command
    .option(
      '--email <address>',
      'only this person’s leads, which “erase --email” would erase',
      toEmailAddress,
    )
    .option(
      '--since <when>',
      'only leads received since a day, a time or an age like 24h',
      parseWhen,
    )
    .option('--take <n>', 'list at most this many leads', makeIntegerParser(999_999_999), 50)
    .readsStore(runList)
}

async function runList(context: CommandContext, options: ListOptions) {
  const { take, email, since, quarantined, unreadable } = options
  const { filter, subject } = readFilter(context, {
    ...options,
    ...(quarantined && { status: 'quarantined' }),
    ...(unreadable && { status: 'dead', error: 'unreadable' }),
    ...(since && { from: since }),
  })
  // The list shows people's names, so the audit log records this command, but not the email address in its options.
  const subjects = [subject || 'all', ...(email === undefined ? [] : ['of a person'])]
  const leads = await runCommandWithAudit(
    context,
    { action: 'listed leads', subject: subjects.join(' ') },
    () => readListedLeads(context, options, filter),
    ({ length }) => `${length} shown`,
  )
  const { json, text } = reportRows(
    leads,
    (lead) => ({
      Received: formatIsoTime(lead.receivedAt, context.store.zone).slice(0, 19).replace('T', ' '),
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
  const next = `\n\nThere may be more leads: add --take ${2 * take}`
  return { json, text: `${text}${leads.length === take ? next : ''}` }
}

async function readListedLeads(
  context: CommandContext,
  { email, take }: ListOptions,
  filter: LeadFilter,
): Promise<readonly LeadSummary[]> {
  const { leadReader, erasure, clock } = context.store
  const now = clock()
  const person = email === undefined ? undefined : await erasure.find(email)
  for (const line of describeUnsearchedLeads(person?.unsearched ?? [])) printError(line)
  if (person?.ids.length === 0) return []
  const keys = person?.ids.map(makeReferenceKey)
  return (await leadReader.page({ filter, keys, now, take })).map(toLeadSummary)
}

/** Reads a lead filter from options. `subject` describes the filter for the audit log, as a query string. */
function readFilter(context: CommandContext, { range, ...options }: FilterOptions) {
  const period = range && readPeriods(context, { range }).range
  const days = period && { from: formatDay(period.first), to: formatDay(period.last) }
  const texts = { ...days, ...options }
  const { filter, given, faults } = parseLeadFilter(
    (name) => [texts[name] ?? []].flat(),
    context.store.zone,
  )
  const [fault] = Object.entries(faults)
  if (fault) throw new CommandError(`--${fault[0]}: ${fault[1]}`, exitCodes.usage)
  return { filter, subject: maskFilterQuery(toFilterQuery(given)) }
}

/** Names the lead that this lead corrects, or the leads that correct it (reading 23). */
function describeCorrection({ corrects, correctedBy }: LeadSummary): string {
  if (corrects !== null) return `corrects ${corrects}`
  return correctedBy.map((id) => `corrected by ${id}`).join(' ')
}

interface ExportOptions extends JsonOption, FilterOptions {
  readonly format?: ExportFormat
  readonly output?: string
  readonly bom?: true
}

export const makeExportCommand = (): Command =>
  addFilterOptions(
    makeCommand(
      'export',
      'writes leads, oldest first, as CSV (RFC 4180) or JSON lines',
      [
        'export --format csv --status delivered --from 2026-01-01 --output leads.csv',
        'export --format jsonl | head',
      ],
      `
Columns: ${leadExportColumns.map(({ name }) => name).join(', ')}.
The export has the SHA-256 of the consent text, not the text itself, which thousands of leads share.
Times are ISO 8601 with the offset of SCHOOL_TIME_ZONE, which also decides when a day begins. In CSV, text that a spreadsheet would run as a formula begins with an apostrophe. Invisible
characters are escaped as in JSON: \\u202e. The answers of an erased lead are empty.
With --output, --json prints the report as JSON; without --output, --json means --format jsonl.`,
    ).addOption(
      new Option('-f, --format <format>', 'csv, or jsonl with --json').choices(['csv', 'jsonl']),
    ),
  )
    .option(
      '--from <when>',
      'only leads received since a day, a time or an age like 24h',
      parseWhen,
    )
    .option(
      '--to <when>',
      'only leads received before a time, longer ago than an age such as 24h, or up to the end of a day',
      parseWhen,
    )
    .option('--bom', 'begin CSV with a byte order mark, which Excel needs to show “Ó”')
    .option('-o, --output <file>', 'write into this file, which only you can read (mode 600)')
    .reports(runExport)

/** The report names the store on stderr if stdout has the leads, and prints nothing else then. */
async function runExport(options: ExportOptions) {
  const { output, json = output === undefined } = options
  const leads = await withStore((context) => writeLeads(context, options), { json })
  if (output === undefined) return {}
  const text = `${pluralize(leads, 'lead')} in ${output}. The file contains personal data.`
  return { json: { leads, output }, text }
}

async function writeLeads(context: CommandContext, options: ExportOptions): Promise<number> {
  const { output, json, bom } = options
  const { filter, subject } = readFilter(context, options)
  const format = options.format ?? (json && !output ? 'jsonl' : 'csv')
  if (bom && format !== 'csv') {
    throw new CommandError('--bom is for CSV: JSON Lines have no byte order mark.', exitCodes.usage)
  }
  let leads = 0
  const { leadReader, clock } = context.store
  const selected = { filter, keys: undefined, now: clock() }
  const text = exportLeads(leadReader, selected, format, (done) => {
    leads = done
  })
  await runCommandWithAudit(
    context,
    { action: 'exported leads', subject },
    () => writeOutput(bom ? addByteOrderMark(text, format) : text, output),
    () => pluralize(leads, 'lead'),
  )
  return leads
}
