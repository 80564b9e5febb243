import type { Command } from 'commander'
import ms from 'ms'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import { describeBreaker } from '#domain/delivery/hold.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { type FailingRun, readFailingRun } from '#server/console-pages/read-overview.ts'
import type { LeadStats } from '#server/leads/read-leads.ts'
import { whyNotStored } from '#server/platform/faults/sanitize-error.ts'
import { withStore } from './store.ts'
import { isoTime, type Json, print, printJson, table, verb } from './terminal.ts'

export const statsCommand = (): Command =>
  verb(
    'stats',
    'counts leads by status and attempts by outcome; says whether deliveries are held up',
    { examples: ['stats', 'stats --json'] },
  ).action(stats)

async function stats({ json }: Json): Promise<void> {
  const [found, breaker, notStored, failing] = await withStore(
    async (store) =>
      [
        await store.archive.stats(Date.now()),
        await store.breaker.read(),
        await store.ready().then(() => undefined, whyNotStored),
        await readFailingRun(store.rollups),
      ] as const,
    { json },
  )
  if (json) printJson({ ...found, breaker, notStored: notStored ?? null, failing: failing ?? null })
  else print(formatStats(found, { breaker, notStored, failing }))
}

function formatStats(
  found: LeadStats,
  {
    breaker,
    notStored,
    failing,
  }: {
    readonly breaker: BreakerState
    readonly notStored: string | undefined
    readonly failing: FailingRun | undefined
  },
): string {
  const rows = leadStatuses.map((status) => [status, String(found.byStatus[status])])
  const outcomes = Object.entries(found.attemptsByOutcome).map(([name, n]) => `${name} ${n}`)
  const oldest = found.oldestPendingAgeMs
  const { rejectedByCap, unreadable, deliveredThenErased, erasedBy } = found
  return [
    ...(notStored === undefined
      ? []
      : [
          `Visitors can't submit enquiries: ${notStored} (docs/runbook.md, “Leads are not stored”)`,
          '',
        ]),
    table(['Status', 'Leads'], [...rows, ['all', String(found.leads)]]),
    '',
    `Deliveries: ${describeBreaker(breaker) ?? describeFailing(found, failing)}`,
    `Oldest waiting: ${oldest === null ? 'none waits' : ms(oldest, { long: true })}`,
    `Delivery attempts: ${found.attempts}${outcomes.length > 0 ? ` (${outcomes.join(', ')})` : ''}`,
    `Duplicates possibly sent: ${found.duplicatesPossiblySent}`,
    ...(rejectedByCap > 0
      ? [`Rejected by a monthly cap: ${rejectedByCap} (“retry --rejected-by-cap” in a new month)`]
      : []),
    ...(unreadable > 0
      ? [`Dead because they cannot be read: ${unreadable} (“list --unreadable”)`]
      : []),
    ...(found.byStatus.erased > 0
      ? [`Erased: ${erasedBy.request} on request, ${erasedBy.retention} by retention`]
      : []),
    ...(deliveredThenErased > 0 ? [`Delivered, and erased since: ${deliveredThenErased}`] : []),
  ].join('\n')
}

const describeFailing = ({ byStatus }: LeadStats, failing: FailingRun | undefined): string =>
  failing === undefined || byStatus.pending + byStatus.leased === 0
    ? 'nothing holds them up.'
    : `${pluralize(failing.attempts, 'attempt')} failed since ${isoTime(failing.since)}, and none was accepted. The leads are tried again.`
