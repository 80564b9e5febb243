import { toDay } from '#domain/calendar.ts'
import {
  type BreakerState,
  classifyOutage,
  describeBreakerReset,
  describeBreakerTrip,
} from '#domain/delivery/breaker.ts'
import type {
  DistributorAnswerCounts,
  RecentAnswerCounts,
} from '#domain/delivery/deliveries-view.ts'
import { hour } from '#domain/durations.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import { capitalize, formatNumber, formatShare, pluralize } from '#domain/text/formats.ts'
import { describeDay, formatDuration } from '#domain/text/time-formats.ts'
import type { OverviewData } from './overview-reader.ts'

/** A problem that the overview shows, with what the operator can do about it. */
export interface OverviewAlert {
  readonly kind: 'note' | 'warning' | 'problem'
  readonly title: string
  /** When the problem began, in epoch milliseconds, and the text that introduces this time. */
  readonly since?: { readonly text: string; readonly at: number } | false | undefined
  readonly details: string
  readonly advice: string
  /** A link to the affected leads, or to the page where the operator can act. */
  readonly link?: { readonly text: string; readonly href: string }
  /** The runbook's section about the problem. */
  readonly section: string
}

const deliveriesLink = { text: 'Go to Deliveries', href: '/deliveries' }
const describeOldest = (at: number | undefined) =>
  at !== undefined && { text: 'The oldest was received', at }

const minFreeBytes = 1e9

export const makeNotStoredAlert = (notStored: string): OverviewAlert => ({
  kind: 'problem',
  title: `Visitors can't submit enquiries: ${notStored}`,
  details:
    'Visitors see a message that the problem is on our side, and the form keeps what they typed. Stored leads are safe.',
  advice: 'Make the store writable again. The server tries again by itself, without a restart.',
  section: 'Leads are not stored',
})

/** Finds the problems that the store reveals, worst first. docs/runbook.md describes each of them. */
export function findAlerts(data: OverviewData, now: number): readonly OverviewAlert[] {
  const { breaker, notStored, freeBytes, failing, dueSince, inDoubt, unreadable, dead } = data
  const { silence, clocks } = data
  const isStopped = breaker.pause !== null || breaker.trip !== null
  const found: (OverviewAlert | false | undefined)[] = [
    notStored !== undefined && makeNotStoredAlert(notStored),
    freeBytes !== undefined &&
      freeBytes < minFreeBytes && {
        kind: 'problem',
        title: `The disk of the store is nearly full: ${Math.round(freeBytes / 1e6)} MB are free`,
        details: 'On a full disk, visitors can’t submit enquiries.',
        advice: 'Free space on the disk of DATA_DIR, or move the store to a larger disk.',
        section: 'Leads are not stored',
      },
    // A restore also pauses deliveries. The leads in doubt come first, so that operators settle them before resuming.
    inDoubt.count > 0 && {
      kind: 'problem',
      title: `${pluralize(inDoubt.count, 'restored lead')} may have been delivered since the backup`,
      since: inDoubt.restoredAt !== undefined && { text: 'Restored', at: inDoubt.restoredAt },
      details:
        'These leads are waiting again: once deliveries run, the distributor may get them a second time.',
      advice:
        'Compare the leads with the distributor’s list, and settle those that the distributor has. Then resume deliveries.',
      link: { text: 'View the leads in doubt', href: inDoubtLeadsUrl },
      section: 'Leads are in doubt',
    },
    findBreakerAlert(breaker),
    // While deliveries are paused or stopped, another alert already says so.
    failing !== undefined &&
      !isStopped && {
        kind: 'problem',
        title:
          failing.attempts === 1
            ? 'The latest delivery attempt failed'
            : `The latest ${formatNumber(failing.attempts)} delivery attempts failed`,
        since: { text: 'No lead was delivered since', at: failing.since },
        details: 'The store keeps the leads, and the workers retry them on schedule.',
        advice:
          'Read the distributor’s responses. If the distributor stays busy, ask for the cause.',
        link: deliveriesLink,
        section: 'The distributor does not answer',
      },
    dead.count > 0 && {
      kind: 'problem',
      title: `${pluralize(dead.count, 'delivery has', 'deliveries have')} used up all attempts`,
      since: describeOldest(dead.since),
      details: 'The store keeps the leads until you act.',
      advice:
        'Each lead’s page gives the reason. Once the cause is fixed, open the list below and select “Act on all…” to retry them all at once.',
      link: { text: 'View the failed leads', href: '/leads?status=dead' },
      section: 'Leads are dead',
    },
    // A lead's wait begins when its delivery is due, because a lead retried after a week has not waited for a week.
    dueSince !== undefined &&
      now - dueSince >= hour &&
      !isStopped && {
        kind: 'problem',
        title: 'Leads have waited for more than an hour',
        since: { text: 'The first lead has been due since', at: dueSince },
        details: 'Leads lose value while they wait.',
        advice: 'Check that a worker runs (ROLE=worker or all), and read its log.',
        link: { text: 'View the waiting leads', href: '/leads?status=pending' },
        section: 'The backlog grows',
      },
    findRejectionAlert(data),
    unreadable > 0 && {
      kind: 'problem',
      title: `${pluralize(unreadable, 'lead cannot', 'leads cannot')} be read`,
      details:
        'The stored data is damaged, or a newer version of the product stored it. The workers don’t send these leads.',
      advice:
        'If you went back to an older version, install the newer one again. Otherwise restore the leads from the backup.',
      section: 'A lead cannot be read',
    },
    findLowVolumeAlert(data),
    clocks.length > 0 && {
      kind: 'warning',
      title: `${pluralize(clocks.length, 'process has', 'processes have')} a wrong clock`,
      details: `${clocks.map(({ server, aheadMs }) => `${server}: ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database.`).join(' ')} Leads don’t wait for it, because the database’s time counts.`,
      advice: 'Synchronize the machine’s clock with NTP.',
      section: 'A clock is wrong',
    },
    silence !== undefined && {
      kind: 'problem',
      title: 'No enquiry for an unusually long time',
      since: { text: 'The last enquiry came', at: silence.since },
      details: `In each of the last four weeks, at least ${silence.least} enquiries came in the same hours.`,
      advice:
        'Send an enquiry yourself. If the form works, ask the people who run the campaigns whether a campaign has ended.',
      section: 'First look',
    },
  ]
  return found.filter((alert) => alert !== undefined && alert !== false)
}

function findBreakerAlert({ pause, trip }: BreakerState): OverviewAlert | undefined {
  if (pause !== null) {
    return {
      kind: 'note',
      title: 'Deliveries are paused',
      since: { text: 'Since', at: pause.since },
      details: `${pause.by === undefined ? '' : `Paused by ${pause.by}. `}${pause.reason === '' ? 'No reason was given' : `Reason: ${pause.reason}`}. The server stores new leads, and they wait.`,
      advice: 'Resume deliveries once the cause is fixed. The workers then send the waiting leads.',
      link: deliveriesLink,
      section: 'Deliveries are paused',
    }
  }
  if (trip === null) return undefined
  const isOutage = trip.cause === 'outage'
  return {
    kind: 'problem',
    title: capitalize(describeBreakerTrip(trip)),
    since: { text: 'Since', at: trip.since },
    details: `The server stores new leads, and they wait.${trip.reason === '' ? '' : ` The distributor’s latest response: ${trip.reason}.`} ${describeBreakerReset(trip)}`,
    advice: isOutage
      ? 'If the outage lasts, ask the distributor.'
      : 'Compare DISTRIBUTOR_URL, CAMPAIGN_CODE and the other ids with the distributor’s values, correct them and restart the server. If the distributor fixed the problem, choose Try now.',
    link: deliveriesLink,
    section: !isOutage
      ? 'The distributor refuses us'
      : classifyOutage(trip.reason) === 'unusable'
        ? 'The distributor sends unusable answers'
        : 'The distributor does not answer',
  }
}

/** Reports a rejection rate of at least 20%, or at least 10% and 1.5 times the rate of the seven days before. */
function findRejectionAlert({ answers }: OverviewData): OverviewAlert | undefined {
  const { lastDay, before } = answers
  const answered = countDistributorAnswers(lastDay)
  const share = lastDay.rejected / answered
  const usualShare = before ? before.rejected / countDistributorAnswers(before) : Number.NaN
  const isUnusual = share >= 0.2 || (share >= 0.1 && share >= 1.5 * usualShare)
  if (lastDay.rejected < 3 || !isUnusual) return undefined
  return {
    kind: 'warning',
    title: `${formatNumber(lastDay.rejected)} of ${pluralize(answered, 'lead')} rejected in the last 24 hours`,
    details: `The distributor doesn’t pay for rejected leads.${before && countDistributorAnswers(before) > 0 ? ` In the seven days before, ${formatRejectedShare(before)} were rejected.` : ''}`,
    advice:
      'Read the distributor’s responses: a program may have reached its monthly cap, or a campaign or an affiliate brings the wrong visitors. The page Funnel compares programs, campaigns and affiliates.',
    link: { text: 'Responses', href: '/deliveries' },
    section: 'Leads are rejected',
  }
}

/** Reports far fewer leads than on any day of the last week: a campaign may have ended, or a page may be broken. */
const findLowVolumeAlert = ({ received, least }: OverviewData): OverviewAlert | false =>
  least !== undefined &&
  least >= 10 &&
  received < least / 4 && {
    kind: 'problem',
    title: `${pluralize(received, 'enquiry', 'enquiries')} today: far fewer than on any day of the last week`,
    details: `Each day of the last week had at least ${formatNumber(least)} enquiries by this time.`,
    advice:
      'Send an enquiry yourself. If the form works, ask the people who run the campaigns whether a campaign has ended.',
    section: 'First look',
  }

/** Reports quarantined leads at once. Prometheus waits eight hours, because a few quarantined leads are normal. */
export const findQuarantineAlert = ({
  quarantined: { count, since },
}: Pick<OverviewData, 'quarantined'>): OverviewAlert | undefined =>
  count === 0
    ? undefined
    : {
        kind: 'note',
        title: `${pluralize(count, 'lead waits', 'leads wait')} in quarantine`,
        since: describeOldest(since),
        details:
          'The workers don’t send quarantined leads until an operator releases them. Some of these leads may be from real people.',
        advice: 'Review the leads and release those from real people.',
        link: { text: 'Review the quarantine', href: '/quarantine' },
        section: 'Leads wait in quarantine',
      }

export const countDistributorAnswers = ({ delivered, rejected }: DistributorAnswerCounts): number =>
  delivered + rejected

const formatRejectedShare = (answers: DistributorAnswerCounts): string =>
  formatShare(answers.rejected, countDistributorAnswers(answers))

/** Says how many leads the distributor accepted and rejected in the last 24 hours, and what share it rejected before. */
export function describeAcceptance(
  { lastDay, before, firstAt }: RecentAnswerCounts,
  zone: string,
): string {
  if (countDistributorAnswers(lastDay) === 0)
    return 'The distributor neither accepted nor rejected any lead in the last 24 hours.'
  const missing =
    firstAt === undefined
      ? ''
      : `; no comparison: the first lead is from ${describeDay(toDay(firstAt, zone))}`
  const usual =
    before && countDistributorAnswers(before) > 0
      ? `; ${formatRejectedShare(before)} in the seven days before`
      : missing
  return `In the last 24 hours the distributor accepted ${pluralize(lastDay.delivered, 'lead')} and rejected ${formatNumber(lastDay.rejected)} (${formatRejectedShare(lastDay)}${usual}).`
}
