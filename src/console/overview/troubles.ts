import { type BreakerState, blamesDistributor } from '#domain/delivery/breaker.ts'
import {
  describeOutage,
  type OutageKind,
  outageKindOf,
  whenUnusable,
} from '#domain/delivery/hold.ts'
import { capitalised } from '#domain/text/capitalised.ts'
import { counted } from '#domain/text/counted.ts'
import { inDoubtAddress } from '../leads/filter-form.tsx'

export interface OverviewFacts {
  readonly breaker: BreakerState
  /** Why visitors can't submit enquiries: `disk full`; undefined where they can. */
  readonly notStored: string | undefined
  /** The latest attempts, where all of them failed; `since` is epoch milliseconds. */
  readonly failing: { readonly attempts: number; readonly since: number } | undefined
  /**
   * The earliest due time in epoch milliseconds, past or future; undefined without open
   * deliveries.
   */
  readonly dueSince: number | undefined
  /** Open deliveries without a worker: due, or waiting for their next attempt. */
  readonly pending: number
  /**
   * Leads restored from a backup that may have been delivered since; with the time of the restore
   * in epoch milliseconds.
   */
  readonly inDoubt: { readonly count: number; readonly restoredAt: number | undefined }
  readonly unreadable: number
  readonly dead: Waiting
  readonly quarantined: Waiting
  /** Undefined while they are being counted. */
  readonly answers: { readonly lastDay: Answers; readonly before: Answers } | undefined
  /** Today, and the least of the last seven days by this time; undefined where there are fewer days. */
  readonly received: number
  readonly least: number | undefined
}

interface Waiting {
  readonly count: number
  /** When the oldest of them was received, in epoch milliseconds. */
  readonly since: number | undefined
}

const hour = 3_600_000

/** The alerts' conditions (docs/runbook.md), as far as the store shows them; the worst first. */
export function troublesOf(facts: OverviewFacts, now: number): readonly Trouble[] {
  return [refused, inDoubt, held, failing, dead, late, rejected, unreadable, quiet].flatMap(
    (look) => look(facts, now) ?? [],
  )
}

type Look = (facts: OverviewFacts, now: number) => Trouble | undefined

const refused: Look = ({ notStored }) =>
  notStored === undefined
    ? undefined
    : {
        kind: 'problem',
        what: `Visitors can't submit enquiries: ${notStored}`,
        since: undefined,
        more: 'Visitors are told that the problem is ours, and keep what they typed. Leads that were received are safe.',
        todo: 'Make the store writable again. It is tried again by itself, without a restart.',
        section: 'Leads are not stored',
      }

/** From the first failure on; once the breaker has tripped, it says why. */
const failing: Look = ({ failing: run, breaker }) =>
  run === undefined || breaker.pause !== null || breaker.trip !== null
    ? undefined
    : {
        kind: 'problem',
        what:
          run.attempts === 1
            ? 'The latest delivery attempt failed'
            : `The latest ${run.attempts.toLocaleString('en-US')} delivery attempts failed`,
        since: { words: 'No lead was delivered since', at: run.since },
        more: 'The leads are kept and tried again by their schedule.',
        todo: 'Read the distributor’s responses. If it is busy, wait; if that lasts, ask the distributor.',
        list: { words: 'To the page Deliveries', href: '/deliveries' },
        section: 'The distributor does not answer',
      }

/** Before the pause that the restore began with, so that the operator reads it before resuming. */
const inDoubt: Look = ({ inDoubt: { count, restoredAt } }) =>
  count === 0
    ? undefined
    : {
        kind: 'problem',
        what: `${counted(count, 'lead')} restored from a backup may have been delivered since`,
        since: restoredAt === undefined ? undefined : { words: 'It was restored', at: restoredAt },
        more: 'They are waiting again: once deliveries run, the distributor gets them a second time.',
        todo: 'Compare them with what the distributor has, and settle those. Then resume: the others are sent.',
        list: { words: 'Look at the leads in doubt', href: inDoubtAddress },
        section: 'Leads are in doubt',
      }

const held: Look = ({ breaker }) => heldTrouble(breaker)

const dead: Look = ({ dead: { count, since } }) =>
  count === 0
    ? undefined
    : {
        kind: 'problem',
        what: `${counted(count, 'delivery has', 'deliveries have')} used up all attempts`,
        since: since === undefined ? undefined : { words: 'The oldest was received', at: since },
        more: 'They stay until you act.',
        todo: 'Each says why. Once the cause is fixed, retry them together with “Act on all leads…” above the list.',
        list: { words: 'Look at the dead leads', href: '/leads?status=dead' },
        section: 'Leads are dead',
      }

/** Not by the time of receipt: a lead retried after a week has not waited for a week. */
const late: Look = ({ dueSince, breaker }, now) =>
  dueSince === undefined || now - dueSince < hour || breaker.pause !== null || breaker.trip !== null
    ? undefined
    : {
        kind: 'problem',
        what: 'Leads wait for more than an hour',
        since: { words: 'The first has been due since', at: dueSince },
        more: 'Leads lose value while they wait.',
        todo: 'See whether a worker runs (ROLE=worker or all), and what it says of its attempts.',
        list: { words: 'Look at the leads that wait', href: '/leads?status=pending' },
        section: 'The backlog grows',
      }

/** Unusually many: one in ten and half as many again as in the seven days before, or one in five. */
const rejected: Look = ({ answers }) => {
  if (answers === undefined) return undefined
  const { lastDay, before } = answers
  const answered = lastDay.delivered + lastDay.rejected
  const share = lastDay.rejected / answered
  const usualShare = before.rejected / (before.delivered + before.rejected)
  const isUnusual = share >= 0.2 || (share >= 0.1 && share >= 1.5 * usualShare)
  if (lastDay.rejected < 3 || !isUnusual) return undefined
  const usual = shareRejected(before)
  return {
    kind: 'warning',
    what: `${lastDay.rejected.toLocaleString('en-US')} of ${counted(answered, 'lead')} rejected in the last 24 hours`,
    since: undefined,
    more: `Rejected leads are not paid.${usual === undefined ? '' : ` In the seven days before, ${usual} were rejected.`}`,
    todo: 'Read the distributor’s responses: a program may have reached its monthly cap, or a campaign brings the wrong visitors.',
    list: { words: 'Responses', href: '/deliveries?range=24h' },
    section: 'Leads are rejected',
  }
}

const unreadable: Look = ({ unreadable: count }) =>
  count === 0
    ? undefined
    : {
        kind: 'problem',
        what: `${counted(count, 'lead cannot', 'leads cannot')} be read`,
        since: undefined,
        more: 'The stored data is damaged or newer than this release. These leads are not delivered.',
        todo: 'If you rolled the release back, install the newer one again. Otherwise restore the leads from the backup.',
        section: 'A lead cannot be read',
      }

/** A day like no other of the week: a campaign has ended, or a page is broken. */
const quiet: Look = ({ received, least }) =>
  least === undefined || least < 10 || received >= least / 4
    ? undefined
    : {
        kind: 'problem',
        what: `${counted(received, 'enquiry', 'enquiries')} today: far fewer than on any day of the last week`,
        since: undefined,
        more: `By this time there were ${least.toLocaleString('en-US')} at least.`,
        todo: 'Send an enquiry yourself. If that works, ask the people who run the campaigns.',
        section: 'First look',
      }

/** A problem: what, since when, what to do. */
export interface Trouble {
  readonly kind: 'note' | 'warning' | 'problem'
  readonly what: string
  /** Epoch milliseconds, and what it is the time of. */
  readonly since: { readonly words: string; readonly at: number } | undefined
  readonly more: string
  readonly todo: string
  /** The leads concerned, or the page to repair it. */
  readonly list?: { readonly words: string; readonly href: string }
  /** A section of the runbook. */
  readonly section: string
}

const holds = { words: 'To the page Deliveries', href: '/deliveries' }

const waitForThem = {
  todo: 'One try at a time is made, and it ends by itself. If it lasts, ask the distributor.',
  list: holds,
  section: 'The distributor does not answer',
}

const whatToDo: Readonly<Record<OutageKind, Pick<Trouble, 'todo' | 'list' | 'section'>>> = {
  silence: waitForThem,
  error: waitForThem,
  unusable: {
    todo: `${whenUnusable} Look at what it wrote, correct the address and restart, or ask the distributor. Meanwhile one lead at a time is tried.`,
    list: { words: 'What it wrote, on the page Deliveries', href: '/deliveries' },
    section: 'The distributor answers, but not usably',
  },
}

/** Deliveries are held back: by an operator, or because of the distributor's answers. */
export function heldTrouble({ pause, trip }: BreakerState): Trouble | undefined {
  if (pause !== null) {
    return {
      kind: 'note',
      what: 'Deliveries are paused',
      since: { words: 'Since', at: pause.since },
      more: `An operator paused them${pause.reason === '' ? ', and gave no reason' : `: ${pause.reason}`}. Leads are accepted and wait.`,
      todo: 'Resume them once the cause is fixed: due deliveries are sent then.',
      list: holds,
      section: 'Deliveries are paused',
    }
  }
  if (trip === null) return undefined
  const since = { words: 'Since', at: trip.since }
  const said = trip.reason === '' ? '' : ` It said: ${trip.reason}.`
  if (trip.cause === 'outage') {
    return {
      kind: 'problem',
      what: capitalised(describeOutage(trip.reason)),
      since,
      more: `Leads are accepted and wait; none of them spends a try.${said}`,
      ...whatToDo[outageKindOf(trip.reason)],
    }
  }
  return {
    kind: 'problem',
    what: blamesDistributor(trip)
      ? 'The distributor refuses us'
      : 'The distributor has accepted no lead',
    since,
    more: blamesDistributor(trip)
      ? `It took none of the leads tried, and all deliveries wait.${said}`
      : `It refuses us, or these leads alone: others are tried, one at a time, to tell.${said}`,
    todo: 'Compare DISTRIBUTOR_URL and the campaign’s values with what the distributor gave you, correct them and restart. If the distributor fixed the problem, choose Resume.',
    list: holds,
    section: 'The distributor refuses us',
  }
}

/**
 * The state is normal and needs nobody at night: the alert waits for eight hours. It is reported
 * anyway.
 */
export const waitsInQuarantine = ({
  quarantined: { count, since },
}: Pick<OverviewFacts, 'quarantined'>): Trouble | undefined =>
  count === 0
    ? undefined
    : {
        kind: 'note',
        what: `${counted(count, 'lead waits', 'leads wait')} in quarantine`,
        since: since === undefined ? undefined : { words: 'The oldest was received', at: since },
        more: 'None is delivered until an operator releases it, and some may be from real people.',
        todo: 'Review them and release the real people’s.',
        list: { words: 'Go through the quarantine', href: '/quarantine' },
        section: 'Leads wait in quarantine',
      }

export interface Answers {
  readonly delivered: number
  readonly rejected: number
}

/** Its number does not stand in another line. */
const percentSign = '\u00a0%'

/** `4 %`, of those that were answered; undefined where none was. */
export function shareRejected({ delivered, rejected }: Answers): string | undefined {
  const answered = delivered + rejected
  if (answered === 0) return undefined
  const percent = (100 * rejected) / answered
  return percent > 0 && percent < 1
    ? `under 1${percentSign}`
    : `${Math.round(percent)}${percentSign}`
}

/** The distributor's recent acceptance, beside the usual one. */
export function describeAnswers(
  answers: { readonly lastDay: Answers; readonly before: Answers } | undefined,
): string {
  if (answers === undefined) return 'The responses of the last 24 hours are still being counted.'
  const { delivered, rejected } = answers.lastDay
  const share = shareRejected(answers.lastDay)
  if (share === undefined) return 'No lead was answered in the last 24 hours.'
  const usual = shareRejected(answers.before)
  const beside =
    usual === undefined
      ? ''
      : rejected === 0
        ? ` (${usual} in the seven days before)`
        : `; ${usual} in the seven days before`
  const rejections =
    rejected === 0
      ? `rejected none${beside}`
      : `rejected ${rejected.toLocaleString('en-US')} (${share}${beside})`
  return `In the last 24 hours the distributor accepted ${counted(delivered, 'lead')} and ${rejections}.`
}
