import { type Command, Option } from 'commander'
import { type Area, areas } from '#domain/area.ts'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { exportColumns } from '#server/leads/export-columns.ts'
import { exportLeads } from '#server/leads/export-leads.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'
import type { Store } from '#server/store/open-store.ts'
import { runAudited, withStore } from './store.ts'
import {
  type JsonOption,
  makeCommand,
  parseRangeEnd,
  parseRangeStart,
  print,
  printJson,
  toIsoTime,
  writeOutput,
} from './terminal.ts'

interface ExportOptions extends JsonOption {
  readonly format?: ExportFormat
  readonly status?: LeadStatus
  readonly area?: Area
  readonly source?: string
  readonly campaign?: string
  readonly from?: number
  readonly to?: number
  readonly output?: string
}

export const exportCommand = (): Command =>
  makeCommand(
    'export',
    'writes leads, oldest first, as CSV (RFC 4180) or JSON lines: any number, in constant memory',
    {
      examples: [
        'export --format csv --status delivered --from 2026-01-01 --output leads.csv',
        'export --format jsonl | head',
      ],
      helpText: `
Columns: ${exportColumns.map(({ name }) => name).join(', ')}.
The export has the SHA-256 of the consent text, not the text itself, which thousands of leads share.
Times are ISO 8601 in UTC. In CSV, text that a spreadsheet would run as a formula begins with an apostrophe. Invisible
characters are escaped as in JSON: \\u202e. The answers of an erased lead are empty.
With --output, --json prints the report as JSON; without --output, --json means --format jsonl.`,
    },
  )
    .addOption(new Option('-f, --format <format>', 'csv unless --json').choices(['csv', 'jsonl']))
    .addOption(
      new Option('-s, --status <status>', 'only leads with this status').choices(leadStatuses),
    )
    .addOption(new Option('-a, --area <area>', 'only leads of this area').choices(areas))
    .option('--source <source>', 'only leads whose last touch has this source')
    .option('--campaign <campaign>', 'only leads whose last touch has this campaign')
    .option(
      '--from <when>',
      'received since a day, a time (UTC) or an age like 24h',
      parseRangeStart,
    )
    .option('--to <when>', 'received before a time or an age; a day is included', parseRangeEnd)
    .option('-o, --output <file>', 'write into this file, which only you can read (mode 600)')
    .action(runExport)

async function runExport(options: ExportOptions): Promise<void> {
  const { output, json } = options
  const isForProgram = json || output === undefined
  const leads = await withStore((store) => writeLeads(store, options), { json: isForProgram })
  if (output === undefined) return
  if (json) return printJson({ leads, output })
  print(`${pluralize(leads, 'lead')} in ${output}. The file holds personal data.`)
}

async function writeLeads(store: Store, options: ExportOptions): Promise<number> {
  const { status, area, source, campaign, from: since, to: until, output, json } = options
  const now = Date.now()
  const filter = {
    status: status === undefined ? [] : [status],
    area: area === undefined ? [] : [area],
    source: source === undefined ? [] : [source],
    campaign: campaign === undefined ? [] : [campaign],
    since,
    // Leads that arrive while the file is written belong to the next export.
    until: Math.min(until ?? now, now),
  }
  let leads = 0
  const text = exportLeads(
    (after, take) => store.archive.page({ filter, now, towards: 'newer', after, take }),
    options.format ?? (json && !output ? 'jsonl' : 'csv'),
    (done) => {
      leads = done
    },
  )
  await runAudited(
    store,
    { action: 'exported leads', subject: toFilterQuery(options) },
    () => writeOutput(text, output),
    () => pluralize(leads, 'lead'),
  )
  return leads
}

/** Formats the filter like the query string of the console's URL; empty for all leads. */
function toFilterQuery({ status, area, source, campaign, from, to }: ExportOptions): string {
  const moment = (at: number | undefined) => at && toIsoTime(at)
  const text = (value: string | undefined) => value && encodeURIComponent(maskCampaign(value))
  const filter = {
    ...{ status, area, source: text(source), campaign: text(campaign) },
    ...{ from: moment(from), to: moment(to) },
  }
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined)
  return parts.map(([name, value]) => `${name}=${value}`).join('&')
}
