import { enoughRefused, type TripCause } from './breaker.ts'
import { patientForMs } from './culprit.ts'
import { type AttemptOutcome, evidenceOf } from './outcome.ts'

/** What one process has heard since the distributor's last answer. Times are epoch milliseconds. */
export interface BreakerEvidence {
  /** Leads that got none: however often one fails, it is one piece of evidence. */
  readonly unanswered: ReadonlySet<string>
  /** Of these, those that were refused. */
  readonly suspects: ReadonlySet<string>
  /** How often these were refused. */
  readonly refused: number
  /** When the first attempt of these began. */
  readonly since: number
  /** When the last answer came. */
  readonly answeredAt: number
}

export const noEvidence: BreakerEvidence = {
  unanswered: new Set(),
  suspects: new Set(),
  refused: 0,
  since: 0,
  answeredAt: Number.NEGATIVE_INFINITY,
}

/** One attempt as evidence. */
export interface Heard {
  readonly leadId: string
  /** That it is refused is its own doing: it was refused before, while others passed. */
  readonly refusedBefore?: true | undefined
  readonly outcome: AttemptOutcome
  /** Epoch milliseconds, as is `endedAt`. */
  readonly startedAt: number
  readonly endedAt: number
}

export function weigh(evidence: BreakerEvidence, heard: Heard): BreakerEvidence {
  switch (evidenceOf(heard.outcome)) {
    case 'answer':
      return { ...noEvidence, answeredAt: heard.endedAt }
    case 'nothing':
      return evidence
    case 'outage':
      return withUnanswered(evidence, heard)
    case 'refused':
      return heard.refusedBefore && !evidence.suspects.has(heard.leadId)
        ? evidence
        : withRefused(withUnanswered(evidence, heard), heard)
  }
}

function withUnanswered(evidence: BreakerEvidence, { leadId, startedAt }: Heard): BreakerEvidence {
  return {
    ...evidence,
    since: evidence.unanswered.size === 0 ? startedAt : evidence.since,
    unanswered: new Set([...evidence.unanswered, leadId]),
  }
}

const withRefused = (evidence: BreakerEvidence, { leadId }: Heard): BreakerEvidence => ({
  ...evidence,
  suspects: new Set([...evidence.suspects, leadId]),
  refused: evidence.refused + 1,
})

/** So many leads in a row without an answer open the breaker, whatever they met. */
const unansweredToOpen = 10

/**
 * One refused lead opens it, as on a new site every lead would meet the same. Where the distributor has answered within the
 * last minute it takes three in a row: who sends forbidden leads all day would else stop the others each time.
 */
const refusedToOpen = 1
const refusedToOpenSoon = 3
const soonMs = 60_000

const hasAnswered = ({ answeredAt }: BreakerEvidence, at: number, withinMs: number): boolean =>
  at - answeredAt <= withinMs

/** How many refused leads a trip takes to blame the distributor. */
export const refusedToBlame = (evidence: BreakerEvidence, at: number): number =>
  hasAnswered(evidence, at, patientForMs) ? enoughRefused.whereAnswered : enoughRefused.atFirst

/** What the latest attempt opens a closed breaker for; undefined where the evidence does not do. */
export function tripCauseOf(
  evidence: BreakerEvidence,
  { outcome, endedAt }: Pick<Heard, 'outcome' | 'endedAt'>,
): TripCause | undefined {
  const said = evidenceOf(outcome)
  if (said === 'answer' || said === 'nothing') return undefined
  if (evidence.unanswered.size >= unansweredToOpen) return said
  const enough = hasAnswered(evidence, endedAt, soonMs) ? refusedToOpenSoon : refusedToOpen
  return said === 'refused' && evidence.refused >= enough ? 'refused' : undefined
}
