import { Command } from 'commander'
import ms from 'ms'
import { leadStatuses } from '#server/use-cases/read-leads.ts'
import { print, printJson } from './print.ts'
import { table } from './table.ts'
import { withArchive } from './with-archive.ts'

export const statsCommand = (): Command =>
  new Command('stats')
    .description('counts leads by status')
    .option('--json', 'as JSON')
    .action(stats)

async function stats({ json }: { json?: boolean }): Promise<void> {
  const found = await withArchive((archive) => archive.stats(Date.now()))
  if (json) return printJson(found)
  const rows = leadStatuses.map((status) => [status, String(found.byStatus[status])])
  print(table(['Status', 'Leads'], [...rows, ['all', String(found.leads)]]))
  print(`\nDelivery attempts: ${found.attempts}`)
  const oldest = found.oldestPendingAgeMs
  print(`Oldest that waits: ${oldest === null ? 'none waits' : ms(oldest, { long: true })}`)
}
