import type { HoldOutcome } from '#server/use-cases/leads/quarantine/held-releases.ts'
import type { SessionNotice } from '../../session-notice.ts'
import { saidOfRelease } from '../lead/said-of-act.ts'

/** Nothing where it is held: the page says so for as long as it is. */
export function saidOfHold(outcome: HoldOutcome): SessionNotice | undefined {
  if (outcome.kind === 'held' || outcome.kind === 'held already') return undefined
  return saidOfRelease(outcome)
}

export const saidOfUndo = (isUndone: boolean): SessionNotice =>
  isUndone
    ? { kind: 'well', heading: 'Taken back: it stays in quarantine' }
    : {
        kind: 'problem',
        heading: 'Too late: it was released, or taken back before. Nothing was changed',
      }
