import { Command, InvalidArgumentError, Option } from 'commander'
import { type LeadStatus, leadStatuses } from '#server/use-cases/read-leads.ts'
import { print, printJson } from './print.ts'
import { table } from './table.ts'
import { withArchive } from './with-archive.ts'

interface ListOptions {
  readonly status?: LeadStatus
  readonly skip: number
  readonly take: number
  readonly json?: boolean
}

export const listCommand = (): Command =>
  new Command('list')
    .description('lists leads, newest first')
    .addOption(new Option('-s, --status <status>', 'only those').choices(leadStatuses))
    .option('--skip <n>', 'leave out the newest n', wholeNumber, 0)
    .option('--take <n>', 'show at most n', wholeNumber, 50)
    .option('--json', 'as JSON')
    .action(list)

async function list({ status, skip, take, json }: ListOptions): Promise<void> {
  const query = { now: Date.now(), skip, take, ...(status ? { status } : {}) }
  const leads = await withArchive((archive) => archive.list(query))
  if (json) return printJson(leads)
  if (leads.length === 0) return print(status ? `No lead is ${status}.` : 'There are no leads yet.')
  print(
    table(
      ['Received', 'Status', 'Tries', 'Area', 'Name', 'Program', 'Id'],
      leads.map((lead) => [
        new Date(lead.receivedAt).toISOString().slice(0, 19).replace('T', ' '),
        lead.status,
        String(lead.attempts),
        lead.area,
        lead.name,
        lead.programName,
        lead.id,
      ]),
    ),
  )
  if (leads.length === take) print(`\nThere may be more: --skip ${skip + take}`)
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}
