import {
  type BreakerState,
  classifyOutage,
  describeBreakerReset,
  describeBreakerTrip,
} from '#domain/delivery/breaker.ts'
import type { AnswerCounts, RecentAnswerCounts } from '#domain/delivery/deliveries-view.ts'
import { capitalize } from '#domain/text/capitalize.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { inDoubtLeadsUrl } from '../shell/lead-link.tsx'

export interface OverviewData {
  readonly breaker: BreakerState
  /** Why visitors can't submit enquiries, such as `disk full`; undefined if they can. */
  readonly notStored: string | undefined
  /** The free space for the store's file; undefined on PostgreSQL, whose disk the product can't see. */
  readonly freeBytes: number | undefined
  /** The latest attempts, if all of them failed; `since` is in epoch milliseconds. */
  readonly failing: { readonly attempts: number; readonly since: number } | undefined
  /** The earliest due time in epoch milliseconds, past or future; undefined if no delivery is open. */
  readonly dueSince: number | undefined
  /** The number of open deliveries that no worker holds: they are due, or wait for their next attempt. */
  readonly pending: number
  /** Leads restored from a backup that may have been delivered after the backup; `restoredAt` is in epoch milliseconds. */
  readonly inDoubt: { readonly count: number; readonly restoredAt: number | undefined }
  readonly unreadable: number
  readonly dead: Waiting
  readonly quarantined: Waiting
  /** The distributor's responses; undefined while they are being counted. */
  readonly answers: RecentAnswerCounts | undefined
  /**
   * The leads received today, and the fewest received by this time on one of the last seven days; `least` is undefined
   * if the store has fewer days.
   */
  readonly received: number
  readonly least: number | undefined
  /** No enquiry came since then, while `least` or more came in the same hours of each of the last four weeks. */
  readonly silence: { readonly since: number; readonly least: number } | undefined
}

interface Waiting {
  readonly count: number
  /** When the oldest waiting lead was received, in epoch milliseconds. */
  readonly since: number | undefined
}

/** A problem that the overview shows: what, since when, and what to do. */
export interface OverviewAlert {
  readonly kind: 'note' | 'warning' | 'problem'
  readonly what: string
  /** When the problem began, in epoch milliseconds, and the words that introduce this time. */
  readonly since?: { readonly words: string; readonly at: number } | false | undefined
  readonly more: string
  readonly todo: string
  /** A link to the leads concerned, or to the page where the operator acts. */
  readonly list?: { readonly words: string; readonly href: string }
  /** The problem's section of the runbook. */
  readonly section: string
}

const hour = 3_600_000
const deliveriesLink = { words: 'Go to Deliveries', href: '/deliveries' }
const describeOldest = (at: number | undefined) =>
  at !== undefined && { words: 'The oldest was received', at }

const fewFreeBytes = 1e9

export const makeNotStoredAlert = (notStored: string): OverviewAlert => ({
  kind: 'problem',
  what: `Visitors can't submit enquiries: ${notStored}`,
  more: 'Visitors see a message that the problem is on our side, and the form keeps what they typed. Leads already received are safe.',
  todo: 'Make the store writable again. The server tries again by itself, without a restart.',
  section: 'Leads are not stored',
})

/** Lists problems by the conditions of the alerts in docs/runbook.md, as far as the store shows them, worst first. */
export function findAlerts(data: OverviewData, now: number): readonly OverviewAlert[] {
  const { breaker, notStored, freeBytes, failing, dueSince, inDoubt, unreadable, dead, silence } =
    data
  const isHeld = breaker.pause !== null || breaker.trip !== null
  const found: (OverviewAlert | false | undefined)[] = [
    notStored !== undefined && makeNotStoredAlert(notStored),
    freeBytes !== undefined &&
      freeBytes < fewFreeBytes && {
        kind: 'problem',
        what: `The disk of the store is nearly full: ${Math.round(freeBytes / 1e6)} MB are free`,
        more: 'On a full disk, visitors can’t submit enquiries.',
        todo: 'Free space on the disk of DATA_DIR, or move the store to a larger disk.',
        section: 'Leads are not stored',
      },
    // Leads in doubt come before the pause that every restore begins with, so that operators read about them before
    // they resume.
    inDoubt.count > 0 && {
      kind: 'problem',
      what: `${pluralize(inDoubt.count, 'lead')} restored from a backup may have been delivered since`,
      since: inDoubt.restoredAt !== undefined && { words: 'Restored', at: inDoubt.restoredAt },
      more: 'These leads are waiting again: once deliveries run, the distributor gets them a second time.',
      todo: 'Compare the leads with the distributor’s list, and settle those that the distributor has. Then resume deliveries.',
      list: { words: 'View the leads in doubt', href: inDoubtLeadsUrl },
      section: 'Leads are in doubt',
    },
    findBreakerAlert(breaker),
    // Once the breaker trips, the overview reports the outage instead of the failed attempts.
    failing !== undefined &&
      !isHeld && {
        kind: 'problem',
        what:
          failing.attempts === 1
            ? 'The latest delivery attempt failed'
            : `The latest ${failing.attempts.toLocaleString('en-US')} delivery attempts failed`,
        since: { words: 'No lead was delivered since', at: failing.since },
        more: 'The leads are kept and retried on schedule.',
        todo: 'Read the distributor’s responses. If the distributor stays busy, ask why.',
        list: deliveriesLink,
        section: 'The distributor does not answer',
      },
    dead.count > 0 && {
      kind: 'problem',
      what: `${pluralize(dead.count, 'delivery has', 'deliveries have')} used up all attempts`,
      since: describeOldest(dead.since),
      more: 'The leads are kept until you act.',
      todo: 'Each lead’s page gives the reason. Once the cause is fixed, retry the leads together with “Act on all leads…” above the list.',
      list: { words: 'View the failed leads', href: '/leads?status=dead' },
      section: 'Leads are dead',
    },
    // The wait counts from the due time, not from receipt: a lead retried after a week has not waited for a week.
    dueSince !== undefined &&
      now - dueSince >= hour &&
      !isHeld && {
        kind: 'problem',
        what: 'Leads have waited for more than an hour',
        since: { words: 'The first lead has been due since', at: dueSince },
        more: 'Leads lose value while they wait.',
        todo: 'Check that a worker runs (ROLE=worker or all), and read its log.',
        list: { words: 'View the waiting leads', href: '/leads?status=pending' },
        section: 'The backlog grows',
      },
    findRejectionAlert(data),
    unreadable > 0 && {
      kind: 'problem',
      what: `${pluralize(unreadable, 'lead cannot', 'leads cannot')} be read`,
      more: 'The stored data is damaged or newer than this release. These leads are not delivered.',
      todo: 'If you rolled the release back, install the newer one again. Otherwise restore the leads from the backup.',
      section: 'A lead cannot be read',
    },
    findLowVolumeAlert(data),
    silence !== undefined && {
      kind: 'problem',
      what: 'No enquiries for longer than usual at this hour',
      since: { words: 'The last enquiry came', at: silence.since },
      more: `In each of the last four weeks, at least ${silence.least} came in the same hours.`,
      todo: 'Send an enquiry yourself. If the form works, ask the people who run the campaigns whether one has ended.',
      section: 'First look',
    },
  ]
  return found.filter((trouble) => trouble !== undefined && trouble !== false)
}

function findBreakerAlert({ pause, trip }: BreakerState): OverviewAlert | undefined {
  if (pause !== null) {
    return {
      kind: 'note',
      what: 'Deliveries are paused',
      since: { words: 'Since', at: pause.since },
      more: `${pause.reason === '' ? 'No reason was given' : `Reason: ${pause.reason}`}. New leads are stored and wait.`,
      todo: 'Resume deliveries once the cause is fixed. Waiting leads are sent then.',
      list: deliveriesLink,
      section: 'Deliveries are paused',
    }
  }
  if (trip === null) return undefined
  const isOutage = trip.cause === 'outage'
  return {
    kind: 'problem',
    what: capitalize(describeBreakerTrip(trip)),
    since: { words: 'Since', at: trip.since },
    more: `New leads are stored and wait.${trip.reason === '' ? '' : ` The distributor’s latest response: ${trip.reason}.`} ${describeBreakerReset(trip)}`,
    todo: isOutage
      ? 'If the outage lasts, ask the distributor.'
      : 'Compare DISTRIBUTOR_URL and the campaign’s values with what the distributor gave you, correct them and restart. If the distributor fixed the problem, choose Resume.',
    list: deliveriesLink,
    section: !isOutage
      ? 'The distributor refuses us'
      : classifyOutage(trip.reason) === 'unusable'
        ? 'The distributor sends unusable answers'
        : 'The distributor does not answer',
  }
}

/** Reports a rejection rate of at least 20%, or at least 10% and 1.5 times the rate of the seven days before. */
function findRejectionAlert({ answers }: OverviewData): OverviewAlert | undefined {
  if (answers === undefined) return undefined
  const { lastDay, before } = answers
  const answered = lastDay.delivered + lastDay.rejected
  const share = lastDay.rejected / answered
  const usualShare = before.rejected / (before.delivered + before.rejected)
  const isUnusual = share >= 0.2 || (share >= 0.1 && share >= 1.5 * usualShare)
  if (lastDay.rejected < 3 || !isUnusual) return undefined
  const usual = formatShare(before, 'rejected')
  return {
    kind: 'warning',
    what: `${lastDay.rejected.toLocaleString('en-US')} of ${pluralize(answered, 'lead')} rejected in the last 24 hours`,
    more: `The distributor doesn’t pay for rejected leads.${usual === undefined ? '' : ` In the seven days before, ${usual} were rejected.`}`,
    todo: 'Read the distributor’s responses: a program may have reached its monthly cap, or a campaign or an affiliate brings the wrong visitors. The page Funnel compares them.',
    list: { words: 'Responses', href: '/deliveries' },
    section: 'Leads are rejected',
  }
}

/** Reports far fewer leads than on any day of the last week: a campaign may have ended, or a page may be broken. */
const findLowVolumeAlert = ({ received, least }: OverviewData): OverviewAlert | false =>
  least !== undefined &&
  least >= 10 &&
  received < least / 4 && {
    kind: 'problem',
    what: `${pluralize(received, 'enquiry', 'enquiries')} today: far fewer than on any day of the last week`,
    more: `Each day of the last week had at least ${least.toLocaleString('en-US')} by this time.`,
    todo: 'Send an enquiry yourself. If the form works, ask the people who run the campaigns whether one has ended.',
    section: 'First look',
  }

/**
 * Links to the leads in quarantine. A few are normal, so Prometheus alerts after eight hours, but the overview shows
 * quarantined leads at once.
 */
export const findQuarantineAlert = ({
  quarantined: { count, since },
}: Pick<OverviewData, 'quarantined'>): OverviewAlert | undefined =>
  count === 0
    ? undefined
    : {
        kind: 'note',
        what: `${pluralize(count, 'lead waits', 'leads wait')} in quarantine`,
        since: describeOldest(since),
        more: 'Quarantined leads are not delivered until an operator releases them, and some may be from real people.',
        todo: 'Review the leads and release those from real people.',
        list: { words: 'Go through the quarantine', href: '/quarantine' },
        section: 'Leads wait in quarantine',
      }

/** Formats a share of the answered leads, as in `4%`; undefined if none was answered. */
export function formatShare(answers: AnswerCounts, of: keyof AnswerCounts): string | undefined {
  const answered = answers.delivered + answers.rejected
  if (answered === 0) return undefined
  const percent = (100 * answers[of]) / answered
  return `${percent > 0 && percent < 1 ? 'under 1' : Math.round(percent)}%`
}

/** Compares the distributor's recent acceptance with the usual rate. */
export function describeAcceptance(answers: RecentAnswerCounts | undefined): string {
  if (answers === undefined) return 'The responses of the last 24 hours are still being counted.'
  const { delivered, rejected } = answers.lastDay
  const share = formatShare(answers.lastDay, 'rejected')
  if (share === undefined) return 'The distributor answered no lead in the last 24 hours.'
  const usual = formatShare(answers.before, 'rejected')
  const before = usual === undefined ? '' : `; ${usual} in the seven days before`
  return `In the last 24 hours the distributor accepted ${pluralize(delivered, 'lead')} and rejected ${rejected.toLocaleString('en-US')} (${share}${before}).`
}
