import { type Command, Option } from 'commander'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { exportColumns } from '#server/leads/export-columns.ts'
import { exportLeads } from '#server/leads/export-leads.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'
import type { Store } from '#server/store/open-store.ts'
import { addFilterOptions, type FilterOptions, readFilter } from './list.ts'
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

interface ExportOptions extends JsonOption, FilterOptions {
  readonly format?: ExportFormat
  readonly from?: number
  readonly to?: number
  readonly output?: string
}

export const exportCommand = (): Command =>
  addFilterOptions(
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
      ),
  )
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
  const { status, area, source, campaign, from, to, output, json } = options
  const now = Date.now()
  const toText = (at: number | undefined) => (at === undefined ? undefined : toIsoTime(at))
  const texts = { status, area, source, campaign, from: toText(from), to: toText(to) }
  const { filter, subject } = readFilter(texts)
  // Leads that arrive while the file is written belong to the next export.
  const until = Math.min(filter.until ?? now, now)
  let leads = 0
  const text = exportLeads(
    (after, take) =>
      store.archive.page({ filter: { ...filter, until }, now, towards: 'newer', after, take }),
    options.format ?? (json && !output ? 'jsonl' : 'csv'),
    (done) => {
      leads = done
    },
  )
  await runAudited(
    store,
    { action: 'exported leads', subject },
    () => writeOutput(text, output),
    () => pluralize(leads, 'lead'),
  )
  return leads
}
