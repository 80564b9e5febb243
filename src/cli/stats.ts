import type { Command } from 'commander'
import { formatIsoTime } from '#domain/calendar.ts'
import { type BreakerState, describeBreaker } from '#domain/delivery/breaker.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { pluralize } from '#domain/text/formats.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import { readFailureStreak } from '#server/alerts/overview-reader.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import type { LeadStats } from '#server/leads/lead-stats.ts'
import { explainStorageFailure } from '#server/platform/faults/sanitize-error.ts'
import { makeCommand } from './command.ts'
import { formatTable, makeSinceFormat } from './terminal.ts'

export const makeStatsCommand = (): Command =>
  makeCommand(
    'stats',
    'counts leads by status and attempts by outcome; says whether deliveries run',
    ['stats', 'stats --json'],
  ).readsStore(async ({ store, actor }) => {
    const found = {
      ...countRetriedAsRejected(await store.leadReader.stats(store.clock())),
      breaker: await namePauser(store.audit, actor, await store.breaker.read()),
      notStored: (await store.ready().then(() => undefined, explainStorageFailure)) ?? null,
      failing: (await readFailureStreak(store.rollups)) ?? null,
    }
    return { json: found, text: formatStats(found, store.zone) }
  })

/** The distributor's last answer counts until the next, so that a retry does not hide a rejection. */
const countRetriedAsRejected = ({ byStatus, ...stats }: LeadStats): LeadStats => ({
  ...stats,
  byStatus: { ...byStatus, rejected: byStatus.rejected + stats.retriedRejections },
})

interface Stats extends LeadStats {
  readonly breaker: BreakerState
  readonly notStored: string | null
  readonly failing: NonNullable<Awaited<ReturnType<typeof readFailureStreak>>> | null
}

function formatStats(found: Stats, zone: string): string {
  const { notStored, breaker, byStatus, erasedBy, oldestPendingAgeMs: oldest } = found
  const rows = leadStatuses.map((status) => [status, String(byStatus[status])])
  const outcomes = Object.entries(found.attemptsByOutcome).map(([name, n]) => `${name} ${n}`)
  const lines = [
    notStored !== null &&
      `Visitors can't submit enquiries: ${notStored} (docs/runbook.md, “Leads are not stored”)\n`,
    formatTable(['Status', 'Leads'], [...rows, ['all', String(found.leads)]]),
    found.retriedRejections > 0 &&
      `Retried after a rejection, and counted as rejected and by their status: ${found.retriedRejections} (“list --rejected --status pending”)`,
    '',
    `Deliveries: ${describeBreaker(breaker, makeSinceFormat(zone)) ?? describeFailedAttempts(found, zone)}`,
    `Oldest waiting lead that no cap holds: ${oldest === null ? 'none' : formatDuration(oldest)}`,
    found.held > 0 && `Held by caps: ${found.held} of the pending leads (“list --held”)`,
    `Delivery attempts: ${found.attempts}${outcomes.length > 0 ? ` (${outcomes.join(', ')})` : ''}`,
    describeNotifications(found.notifications),
    `Duplicates possibly sent: ${found.duplicatesPossiblySent}`,
    found.rejectedByCap > 0 &&
      `Rejected by a monthly cap: ${found.rejectedByCap} (“retry --rejected-by-cap” in a new month)`,
    found.unreadable > 0 &&
      `Dead because their data cannot be read: ${found.unreadable} (“list --unreadable”)`,
    found.returned > 0 && `Returned after acceptance: ${found.returned} (“list --returned”)`,
    byStatus.erased > 0 &&
      `Erased: ${erasedBy.request} on request, ${erasedBy.retention} by retention`,
    found.deliveredThenErased > 0 && `Erased after delivery: ${found.deliveredThenErased}`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}

/** Says how many notifications were sent, are waiting or were given up; false without notifications. */
const describeNotifications = ({ waiting, sent, ended }: LeadStats['notifications']) =>
  waiting + sent + ended > 0 &&
  `Notifications: ${sent} sent, ${waiting} waiting, ${ended} not sent (“webhooks list”)`

const describeFailedAttempts = ({ byStatus, held, failing }: Stats, zone: string): string =>
  failing === null || byStatus.pending - held + byStatus.leased === 0
    ? 'running.'
    : `${pluralize(failing.attempts, 'attempt')} failed since ${formatIsoTime(failing.since, zone)}, and the distributor accepted none. The leads are retried.`
