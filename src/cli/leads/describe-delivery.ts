import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'
import { describeAttempt } from '../deliveries/describe-attempt.ts'
import { table } from '../terminal/print.ts'

type Delivery = NonNullable<LeadDetails['delivery']>
type Lines = (delivery: Delivery, leadId: string) => readonly string[]

/** In display order; null for a part that is shown elsewhere, with the place. */
const ofDelivery: Readonly<Record<keyof Delivery, Lines | null>> = {
  // The lead's id is what operators go by.
  id: null,
  endings: ({ endings }) =>
    endings.map(
      ({ settledAs, settledAt, isByHand, owedAgainAt }) =>
        `It had ended before: ${settledAs} at ${time(settledAt)}${isByHand ? ', settled by hand' : ''}; owed again since ${time(owedAgainAt)}.`,
    ),
  restoredAt: describeRestored,
  nextAttemptAt: ({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [`Next attempt: ${time(nextAttemptAt)}`],
  settledAs: describeSettled,
  // With how it was settled.
  settledAt: null,
  isSettledByHand: null,
  // Above them all.
  attempts: null,
}

/**
 * A lead's delivery and how it went.
 * @param culprit who caused it, if known
 */
export function describeDelivery(
  { lead, delivery }: LeadDetails,
  culprit: string | undefined,
): readonly string[] {
  if (delivery === null) return []
  return [
    '',
    describeAttempts(delivery.attempts),
    ...(culprit === undefined ? [] : [culprit]),
    ...Object.values(ofDelivery).flatMap((read) => read?.(delivery, lead.id) ?? []),
  ]
}

function describeAttempts(attempts: readonly AttemptRecord[]): string {
  if (attempts.length === 0) return 'No delivery has been attempted yet.'
  const rows = attempts.map((attempt) => [
    String(attempt.number),
    time(attempt.startedAt),
    `${attempt.durationMs} ms`,
    attempt.outcome,
    attempt.httpStatus === null ? '–' : String(attempt.httpStatus),
    describeAttempt(attempt),
    attempt.said ?? '',
  ])
  return table(['Try', 'At', 'Took', 'Outcome', 'HTTP', 'Why', 'What it said'], rows)
}

function describeRestored({ restoredAt, settledAs }: Delivery, leadId: string): readonly string[] {
  if (restoredAt === null) return []
  const restored = `A backup was restored at ${time(restoredAt)}`
  if (settledAs !== null) return [`${restored}, in which it was still owed.`]
  return [
    `${restored}: it may have been delivered since the backup. If the distributor has it, run “settle ${leadId} --as delivered”.`,
  ]
}

function describeSettled({ settledAs, settledAt, isSettledByHand }: Delivery): readonly string[] {
  if (settledAt === null) return []
  return [
    `Delivery ${settledAs} at ${time(settledAt)}${isSettledByHand ? ', as an operator says' : ''}`,
  ]
}

const time = (at: number): string => new Date(at).toISOString()
