import { outcomes } from '#domain/job/member-outcome.ts'
import { counted } from '#domain/text/counted.ts'
import { LeadLinks, Reference } from '../lead/lead-name.tsx'
import styles from './audit-cells.module.css'

/** The target of an action. */
export type ShownTarget =
  | {
      readonly kind: 'one'
      readonly id: string
      /** An operator's email address. */
      readonly toWhom: string | null
    }
  | { readonly kind: 'leads'; readonly ids: readonly string[] }
  /** The parts of a filter, in the words of its page. */
  | { readonly kind: 'filter'; readonly parts: readonly string[] }
  | { readonly kind: 'words'; readonly text: string }

export function Target({ of }: { of: ShownTarget }) {
  switch (of.kind) {
    case 'one':
      // Leads to everything that was done to it.
      return <a href={`/audit?subject=${of.id}`}>{of.toWhom ?? <Reference id={of.id} />}</a>
    case 'leads':
      return of.ids.length <= 2 ? (
        <LeadLinks ids={of.ids} />
      ) : (
        <details className={styles.folded}>
          <summary>{counted(of.ids.length, 'lead')}</summary>
          <LeadLinks ids={of.ids} />
        </details>
      )
    case 'filter':
      return <FilterParts parts={of.parts} />
    case 'words':
      return of.text
  }
}

export type ShownResult =
  | { readonly kind: 'words'; readonly text: string }
  /** A job that was planned or started: its action, its filter and, once started, its pace. */
  | {
      readonly kind: 'job'
      readonly action: string
      readonly parts: readonly string[]
      readonly pace: string | undefined
    }

export function Result({ of }: { of: ShownResult }) {
  if (of.kind === 'words') return describeOutcome(of.text)
  const { action, parts, pace } = of
  return <FilterParts after={pace === undefined ? action : `${action}, ${pace}`} parts={parts} />
}

/** The audit log records a retried delivery as `due`. */
export const describeOutcome = (outcome: string): string =>
  outcome === 'due' ? outcomes.due.result : outcome

interface FilterPartsProps {
  parts: readonly string[]
  /** Text before the parts. */
  after?: string
}

/** In characters. A longer filter would take more lines on a phone than the rest of its entry. */
const longest = 60

function FilterParts({ parts, after }: FilterPartsProps) {
  const before = after === undefined ? [] : [after]
  const whole = [...before, ...parts].join(' · ')
  if (whole.length <= longest) return whole
  return (
    <details className={styles.folded}>
      <summary>{[...before, `A filter of ${counted(parts.length, 'part')}`].join(' · ')}</summary>
      <ul>
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </details>
  )
}
