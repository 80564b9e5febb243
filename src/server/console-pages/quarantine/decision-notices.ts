import { type HoldOutcome, undoWindowMs } from '#server/leads/release-leads.ts'
import { releaseNotice } from '../lead/action-notices.ts'
import type { SessionNotice } from '../session-notice.ts'

const seconds = undoWindowMs / 1000

/** The page's next control undoes the release. */
export function heldReleaseNotice(outcome: HoldOutcome): SessionNotice {
  if (outcome.kind !== 'held' && outcome.kind !== 'held already') return releaseNotice(outcome)
  return {
    kind: 'well',
    heading: `The lead is released in ${seconds} seconds`,
    text: 'Until then you can undo the release or wait longer.',
  }
}

export const postponementNotice = (isPostponed: boolean): SessionNotice =>
  isPostponed
    ? {
        kind: 'well',
        heading: `You have ${seconds} seconds more`,
        text: 'Until then you can undo the release or wait longer.',
      }
    : tooLate

export const undoNotice = (isUndone: boolean): SessionNotice =>
  isUndone ? { kind: 'well', heading: 'Release undone: the lead stays in quarantine' } : tooLate

const tooLate: SessionNotice = {
  kind: 'problem',
  heading: 'Too late: the lead is already released, or its release was undone. Nothing was changed',
}
