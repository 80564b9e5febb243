import { outcomeWords } from '#domain/job/member-outcome.ts'

/** The audit has a word for it. */
export const outcomeInWords = (outcome: string): string =>
  outcome === 'due' ? outcomeWords.due.came : outcome
