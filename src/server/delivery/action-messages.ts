import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { statusLabels } from '#domain/lead/lead-status.ts'
import {
  type FlashMessage,
  makeNoteMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import type { ErasureResult } from '#server/leads/erase-person.ts'
import type { ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { RetryOutcome, SettleOutcome } from './change-deliveries.ts'
import type { PauseAct } from './pause-deliveries.ts'

type Refusal = Exclude<
  RetryOutcome | ReleaseOutcome | SettleOutcome,
  { kind: 'due' } | { kind: 'settled' }
>

const refusals: Readonly<Record<Refusal['kind'], string>> = {
  leased: 'A worker is delivering the lead now: wait for the result',
  delivered: 'The distributor has already accepted the lead',
  rejected: 'The lead is already rejected',
  duplicate: 'The lead has no delivery, because it repeats another lead',
  overtaken: 'The person has enquired again, and sending both leads would make a duplicate',
  quarantined: 'The lead is in quarantine: release it first',
  'not quarantined': 'The lead is not in quarantine',
  'asked not to be contacted': 'The person is on the list “Do not contact”',
  erased: 'The lead is erased: nothing is left to send',
  unreadable: 'The lead cannot be read, so it is not sent',
  unknown: 'There is no such lead',
}

function makeRefusalMessage(outcome: Refusal): FlashMessage {
  const other = 'of' in outcome ? outcome.of : 'by' in outcome ? outcome.by : null
  const text = `Nothing was changed.${other === null ? '' : ' The lead that is sent instead:'}`
  return { ...makeProblemMessage(refusals[outcome.kind], text), lead: other ?? undefined }
}

export const makeRetryMessage = (outcome: RetryOutcome): FlashMessage =>
  outcome.kind === 'due'
    ? makeSuccessMessage(
        'The delivery is due now',
        outcome.wasHeld
          ? 'A cap held the lead until now. If the cap allows no lead yet, it holds the lead again.'
          : `The status was “${statusLabels[outcome.was]}” before.`,
      )
    : makeRefusalMessage(outcome)

export function makeReleaseMessage(outcome: ReleaseOutcome): FlashMessage {
  if (outcome.kind === 'due') return makeSuccessMessage('Released: the delivery is due now')
  if (outcome.kind !== 'duplicate') return makeRefusalMessage(outcome)
  const heading = 'Released without a delivery: the lead repeats another lead'
  return { ...makeNoteMessage(heading, 'The lead that is sent instead:'), lead: outcome.of }
}

export const makeSettleMessage = (outcome: SettleOutcome, as: ManualSettlement): FlashMessage =>
  outcome.kind === 'settled'
    ? makeSuccessMessage(
        `Settled by hand as ${statusLabels[as]}`,
        `The status was “${statusLabels[outcome.was]}” before. The workers send nothing.`,
      )
    : makeRefusalMessage(outcome)

/** Says whether the store's files may still contain erased data. */
export const erasureLeftoverNotes: Readonly<Record<ErasureResult['bytes'], string>> = {
  wiped: 'The store’s files no longer contain the data, but backups and exports may.',
  'wipe again':
    'Another process was reading the store. Until the server restarts or “leads erase” runs again, the -wal file beside the store’s file may contain the data.',
  'left to the database':
    'PostgreSQL overwrites the old rows after VACUUM. Backups and exports may contain the data.',
}

export function makeErasureMessage(erased: ErasureResult): FlashMessage {
  if (erased.leads === 0)
    return makeProblemMessage('The lead is already erased', 'Nothing was changed.')
  const { stopped, underWay, delivered, linked } = erased
  const sentences = [
    stopped > 0 && 'The lead is no longer sent.',
    underWay > 0 &&
      'A worker was sending the lead: the timeline shows whether the distributor got it.',
    delivered > 0 && 'Ask the distributor to erase its copy.',
    erasureLeftoverNotes[erased.bytes],
    linked.length > 0 && 'Another lead from the same open form was not erased:',
  ]
  const text = sentences.filter((sentence) => sentence !== false).join(' ')
  return { ...makeSuccessMessage('The person’s data is erased', text), lead: linked[0] }
}

export const makePauseMessage = (act: PauseAct, isChanged: boolean): FlashMessage =>
  pauseMessages[act][isChanged ? 'changed' : 'unchanged']

const pauseMessages = {
  pause: {
    changed: makeSuccessMessage(
      'Deliveries are paused',
      'Attempts in progress finish. After one second, no new attempt begins.',
    ),
    unchanged: makeNoteMessage(
      'Deliveries were already paused',
      'The console updated the reason and the time.',
    ),
  },
  resume: {
    changed: makeSuccessMessage(
      'Deliveries are running',
      'Within a second, the workers begin to send the waiting leads, oldest first.',
    ),
    unchanged: makeNoteMessage('Deliveries were not paused', 'Nothing was changed.'),
  },
  tryNow: {
    changed: makeSuccessMessage(
      'A worker makes the next call within a second',
      'The worker sends one waiting lead. If the distributor answers, the others follow.',
    ),
    unchanged: makeNoteMessage(
      'No further call was made',
      'Deliveries are running or paused, or a call is under way.',
    ),
  },
}
