import type { SettledByHand } from '#domain/delivery/delivery.ts'
import { describeUnreadable } from '#domain/lead/lead.ts'
import type { RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ErasedPerson } from '#server/leads/erase-person.ts'
import type { ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { SessionNotice } from '../session-notice.ts'

const unchangedNotice = 'Nothing was changed.'

const refused = (heading: string, text = '', lead?: string | null): SessionNotice => ({
  kind: 'problem',
  heading,
  text: `${unchangedNotice} ${text}`.trim(),
  lead: lead ?? undefined,
})

/** The reasons why any action on a lead may be refused. */
const refusals = {
  leased: refused('A worker is delivering it at this moment', 'Wait for the result first.'),
  rejected: refused('It is rejected already'),
  quarantined: refused('It is in quarantine: release it first'),
  'not quarantined': refused('It is not in quarantine'),
  erased: refused('It is erased: there is nothing left to send'),
  unknown: refused('There is no such lead any more'),
}
const duplicateRefusal = (of: string | null) =>
  refused('It owes no delivery: it repeats another', 'That one does:', of)

/** Says on the lead's page what a retry did. */
export function retryNotice(outcome: RetryOutcome): SessionNotice {
  switch (outcome.kind) {
    case 'due':
      return {
        kind: 'well',
        heading: `The delivery was ${outcome.was} and is due now`,
        text: 'Its schedule starts anew; its attempts are kept.',
      }
    case 'delivered':
      return refused('It has been delivered: sending it again would make a duplicate')
    case 'unreadable':
      return refused('It cannot be read, and is not sent', describeUnreadable(outcome))
    case 'overtaken':
      return refused(
        'Its person has enquired again since, and that lead counts now',
        'Sending both would make a duplicate. See',
        outcome.by,
      )
    case 'duplicate':
      return duplicateRefusal(outcome.of)
    default:
      return refusals[outcome.kind]
  }
}

export function releaseNotice(outcome: ReleaseOutcome): SessionNotice {
  switch (outcome.kind) {
    case 'due':
      return { kind: 'well', heading: 'Released: its delivery is due now' }
    case 'duplicate':
      return {
        kind: 'note',
        heading: 'Released, and it owes no delivery',
        text: 'It repeats another, which does:',
        lead: outcome.of,
      }
    default:
      return refusals[outcome.kind]
  }
}

export function settleNotice(outcome: SettleOutcome, as: SettledByHand): SessionNotice {
  switch (outcome.kind) {
    case 'settled':
      return {
        kind: 'well',
        heading: `Settled by hand as ${as}`,
        text: `The delivery was ${outcome.was}. Nothing is sent.`,
      }
    case 'delivered':
      return refused('It is delivered already')
    case 'duplicate':
      return duplicateRefusal(outcome.of)
    default:
      return refusals[outcome.kind]
  }
}

const bytes: Readonly<Record<ErasedPerson['bytes'], string>> = {
  wiped: 'The files of the store hold none of it any more; backups and exports may.',
  'wipe again':
    'Another process was reading: the log beside the file may hold it until “leads -- erase” is run again, or the server restarts.',
  'left to the database':
    'PostgreSQL overwrites the old rows after VACUUM; backups and exports may hold them.',
}

export function erasureNotice(erased: ErasedPerson): SessionNotice {
  if (erased.leads === 0) return refused('It is erased already')
  const { stopped, underWay, delivered, linked } = erased
  return {
    kind: 'well',
    heading: 'The person’s data are erased',
    text: [
      ...(stopped > 0 ? ['Its delivery will not be made.'] : []),
      ...(underWay > 0
        ? ['A worker had it at that moment: the timeline tells whether the distributor got it.']
        : []),
      ...(delivered > 0 ? ['The distributor has it: ask it to erase it, too.'] : []),
      bytes[erased.bytes],
      ...(linked.length > 0 ? ['Left, though sent from the same form:'] : []),
    ].join(' '),
    lead: linked[0],
  }
}
