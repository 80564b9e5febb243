import { type Job, membersKeptFor } from '#domain/job/job.ts'
import { memberOutcomes, outcomeWords, verdictOf } from '#domain/job/member-outcome.ts'
import { DataTable } from '../shell/data-table.tsx'
import { verdictWords } from './job-in-words.ts'
import styles from './jobs.module.css'

const daysKept = membersKeptFor / (24 * 60 * 60 * 1000)

/** What came of it, and of which leads. */
export function JobReport({ job }: { job: Job }) {
  const { report } = job
  const outcomes = memberOutcomes.filter((outcome) => (report[outcome] ?? 0) > 0)
  return (
    <section aria-labelledby="report">
      <h2 id="report">What came of it</h2>
      <DataTable
        name="What came of it"
        columns={[
          {
            heading: 'Was',
            cell: (outcome) => (
              <span className={styles.verdict} data-verdict={verdictOf(outcome)}>
                {verdictWords[verdictOf(outcome)]}
              </span>
            ),
          },
          {
            heading: 'Leads',
            isNumber: true,
            cell: (outcome) => (report[outcome] ?? 0).toLocaleString('en-US'),
          },
          { heading: 'Why', cell: (outcome) => outcomeWords[outcome].came },
          ...(job.membersRemovedAt === null
            ? [
                {
                  heading: 'Which',
                  cell: (outcome: (typeof outcomes)[number]) => (
                    <a href={`/jobs/${job.id}/leads?outcome=${encodeURIComponent(outcome)}`}>
                      Show them
                      <span className="visually-hidden"> that are {outcome}</span>
                    </a>
                  ),
                },
              ]
            : []),
        ]}
        rows={outcomes}
        keyOf={(outcome) => outcome}
        empty="Nothing has been done yet."
      />
      {job.endedAt !== null && (
        <p className={styles.quiet}>
          {job.membersRemovedAt === null
            ? `Which leads they were is kept for ${daysKept} days after the end, this report for good.`
            : `Which leads they were was kept for ${daysKept} days.`}
        </p>
      )}
    </section>
  )
}
