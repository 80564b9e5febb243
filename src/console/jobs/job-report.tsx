import { type Job, membersKeptFor } from '#domain/job/job.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'
import styles from './jobs.module.css'
import { OutcomeTable } from './outcome-table.tsx'

const daysKept = membersKeptFor / (24 * 60 * 60 * 1000)

/** What came of it, and of which leads. */
export function JobReport({ job }: { job: Job }) {
  const { report } = job
  const linkTo = (outcome: MemberOutcome) => (
    <a href={`/jobs/${job.id}/leads?outcome=${encodeURIComponent(outcome)}`}>
      Show them
      <span className="visually-hidden"> that are {outcome}</span>
    </a>
  )
  return (
    <section aria-labelledby="report">
      <h2 id="report">What came of it</h2>
      <OutcomeTable
        name="What came of it"
        heading="Was"
        counts={report}
        tense="came"
        more={job.membersRemovedAt === null ? [{ heading: 'Which', cell: linkTo }] : []}
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
