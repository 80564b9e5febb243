import { Command } from 'commander'
import ms from 'ms'
import type { GateState } from '#domain/delivery/gate.ts'
import { type LeadStats, leadStatuses } from '#server/use-cases/read-leads.ts'
import { examples } from './examples.ts'
import { gateInWords } from './gate-in-words.ts'
import { print, printJson } from './print.ts'
import { table } from './table.ts'
import { withStore } from './with-store.ts'

export const statsCommand = (): Command =>
  new Command('stats')
    .description(
      'counts leads by status and attempts by outcome; says whether deliveries are held up',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('stats', 'stats --json'))
    .action(stats)

async function stats({ json }: { json?: boolean }): Promise<void> {
  const [found, gate] = await withStore(async (store) => [
    await store.archive.stats(Date.now()),
    await store.gate.read(),
  ])
  if (json) printJson({ ...found, gate })
  else print(inWords(found, gate))
}

function inWords(found: LeadStats, gate: GateState): string {
  const rows = leadStatuses.map((status) => [status, String(found.byStatus[status])])
  const outcomes = Object.entries(found.attemptsByOutcome).map(([name, n]) => `${name} ${n}`)
  const oldest = found.oldestPendingAgeMs
  const { rejectedByCap, deliveredThenErased, erasedBy } = found
  return [
    table(['Status', 'Leads'], [...rows, ['all', String(found.leads)]]),
    '',
    `Deliveries: ${gateInWords(gate) ?? 'nothing holds them up.'}`,
    `Oldest that waits: ${oldest === null ? 'none waits' : ms(oldest, { long: true })}`,
    `Delivery attempts: ${found.attempts}${outcomes.length > 0 ? ` (${outcomes.join(', ')})` : ''}`,
    `Duplicates possibly sent: ${found.duplicatesPossiblySent}`,
    ...(rejectedByCap > 0
      ? [`Rejected by a monthly cap: ${rejectedByCap} (“retry --rejected-by-cap” in a new month)`]
      : []),
    ...(found.byStatus.erased > 0
      ? [`Erased: ${erasedBy.request} on request, ${erasedBy.retention} by retention`]
      : []),
    ...(deliveredThenErased > 0 ? [`Delivered, and erased since: ${deliveredThenErased}`] : []),
  ].join('\n')
}
