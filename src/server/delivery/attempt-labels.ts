import type { AttemptOutcome, OutcomeName } from '#domain/delivery/outcome.ts'
import { reasonOf } from '#domain/delivery/outcome.ts'

type Made = Exclude<OutcomeName, 'not-made'>
type OutcomeOf<Name> = Extract<AttemptOutcome, { readonly name: Name }>
type Reason<Name> =
  OutcomeOf<Name> extends { readonly reason: infer Given extends string }
    ? Given
    : OutcomeOf<Name> extends { readonly cause?: infer Cause extends string }
      ? Cause | 'none'
      : 'none'

/** Each reason that an attempt that was made can have. */
const reasons: { readonly [Name in Made]: Readonly<Record<Reason<Name>, true>> } = {
  delivered: { none: true },
  rejected: { none: true, cap: true },
  busy: { none: true },
  broken: {
    'server-error': true,
    'unknown-status': true,
    'unknown-reply': true,
    'reply-too-large': true,
  },
  refused: { none: true },
  unreachable: { 'no-connection': true },
  unknown: { timeout: true, 'connection-lost': true, stopped: true, 'process-ended': true },
}

export interface AttemptLabels {
  readonly outcome: string
  readonly reason: string
}

/** All that there are. */
export const attemptLabels: readonly AttemptLabels[] = Object.entries(reasons).flatMap(
  ([outcome, its]) => Object.keys(its).map((reason) => ({ outcome, reason })),
)

export const attemptLabelsOf = (outcome: AttemptOutcome): AttemptLabels => ({
  outcome: outcome.name,
  reason: reasonOf(outcome) ?? 'none',
})
