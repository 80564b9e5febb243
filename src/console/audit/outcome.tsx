import { FilterParts } from './filter-parts.tsx'
import { outcomeInWords } from './outcome-in-words.ts'

/** What an act came to. */
export type ShownOutcome =
  | { readonly kind: 'words'; readonly text: string }
  /** Of a job that was planned or started: what it does, to which leads and, once it is started, how fast. */
  | {
      readonly kind: 'job'
      readonly action: string
      readonly parts: readonly string[]
      readonly pace: string | undefined
    }

export function Outcome({ of }: { of: ShownOutcome }) {
  if (of.kind === 'words') return outcomeInWords(of.text)
  const { action, parts, pace } = of
  return <FilterParts after={pace === undefined ? action : `${action}, ${pace}`} parts={parts} />
}
