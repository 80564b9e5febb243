import {
  type MemberOutcome,
  memberOutcomes,
  outcomeWords,
  verdictOf,
} from '#domain/job/member-outcome.ts'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { verdictWords } from './job-in-words.ts'
import styles from './marks.module.css'

interface OutcomeTableProps {
  /** The table's accessible name. */
  name: string
  /** Above what it is or would be. */
  heading: string
  counts: Readonly<Partial<Record<MemberOutcome, number>>>
  /** Whether the words are those of a plan or of what came. */
  tense: 'planned' | 'came'
  more?: readonly Column<MemberOutcome>[]
  empty: string
}

/** How many leads met each outcome, and why; of those that none met nothing. */
export function OutcomeTable(props: OutcomeTableProps) {
  const { name, heading, counts, tense, more = [], empty } = props
  const countOf = (outcome: MemberOutcome) => counts[outcome] ?? 0
  return (
    <DataTable
      name={name}
      columns={[
        {
          heading,
          cell: (outcome) => (
            <span className={styles.verdict} data-verdict={verdictOf(outcome)}>
              {verdictWords[verdictOf(outcome)]}
            </span>
          ),
        },
        {
          heading: 'Leads',
          isNumber: true,
          cell: (outcome) => countOf(outcome).toLocaleString('en-US'),
        },
        { heading: 'Why', isLong: true, cell: (outcome) => outcomeWords[outcome][tense] },
        ...more,
      ]}
      rows={memberOutcomes.filter((outcome) => countOf(outcome) > 0)}
      keyOf={(outcome) => outcome}
      empty={empty}
    />
  )
}
