import type { SettledByHand } from '#domain/delivery/delivery.ts'
import type { RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ErasedPerson } from '#server/leads/erase-person.ts'
import type { ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { SessionNotice } from '../session-notice.ts'

type Refusal = Exclude<
  RetryOutcome | ReleaseOutcome | SettleOutcome,
  { kind: 'due' } | { kind: 'settled' }
>

const refusals: Readonly<Record<Refusal['kind'], string>> = {
  leased: 'A worker is delivering it now: wait for the result',
  delivered: 'It is delivered already: sending it again would make a duplicate',
  rejected: 'It is rejected already',
  duplicate: 'It has no pending delivery: it repeats another lead',
  overtaken: 'Its person has enquired again, and sending both would make a duplicate',
  quarantined: 'It is in quarantine: release it first',
  'not quarantined': 'It is not in quarantine',
  erased: 'It is erased: nothing is left to send',
  unreadable: 'It cannot be read, and is not sent',
  unknown: 'This lead no longer exists',
}

function refused(outcome: Refusal): SessionNotice {
  const other = 'of' in outcome ? outcome.of : 'by' in outcome ? outcome.by : null
  return {
    kind: 'problem',
    heading: refusals[outcome.kind],
    text: `Nothing was changed.${other === null ? '' : ' The lead that counts:'}`,
    lead: other ?? undefined,
  }
}

export const retryNotice = (outcome: RetryOutcome): SessionNotice =>
  outcome.kind === 'due'
    ? { kind: 'well', heading: `The delivery was ${outcome.was} and is due now` }
    : refused(outcome)

export function releaseNotice(outcome: ReleaseOutcome): SessionNotice {
  if (outcome.kind === 'due') return { kind: 'well', heading: 'Released: its delivery is due now' }
  if (outcome.kind !== 'duplicate') return refused(outcome)
  return {
    kind: 'note',
    heading: 'Released without a delivery: it repeats another lead',
    text: 'The lead that counts:',
    lead: outcome.of,
  }
}

export const settleNotice = (outcome: SettleOutcome, as: SettledByHand): SessionNotice =>
  outcome.kind === 'settled'
    ? {
        kind: 'well',
        heading: `Settled by hand as ${as}`,
        text: `The delivery was ${outcome.was}. Nothing is sent.`,
      }
    : refused(outcome)

const bytes: Readonly<Record<ErasedPerson['bytes'], string>> = {
  wiped: 'The store’s files no longer contain it, but backups and exports may.',
  'wipe again':
    'Another process was reading: the log beside the store’s file may contain it until the server restarts or “leads erase” runs again.',
  'left to the database':
    'PostgreSQL overwrites the old rows after VACUUM. Backups and exports may contain them.',
}

export function erasureNotice(erased: ErasedPerson): SessionNotice {
  if (erased.leads === 0) {
    return { kind: 'problem', heading: 'It has already been erased', text: 'Nothing was changed.' }
  }
  const { stopped, underWay, delivered, linked } = erased
  return {
    kind: 'well',
    heading: 'The person’s data are erased',
    text: [
      ...(stopped > 0 ? ['The lead is not sent any more.'] : []),
      ...(underWay > 0
        ? ['A worker was sending it: the timeline shows whether the distributor got it.']
        : []),
      ...(delivered > 0 ? ['The distributor has a copy: ask it to erase it, too.'] : []),
      bytes[erased.bytes],
      ...(linked.length > 0 ? ['This lead came from the same form and is kept:'] : []),
    ].join(' '),
    lead: linked[0],
  }
}
