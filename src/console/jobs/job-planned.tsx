import type { Job } from '#domain/job/job.ts'
import { memberOutcomes, outcomeWords, verdictOf } from '#domain/job/member-outcome.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { DataTable } from '../shell/data-table.tsx'
import { verdictWords } from './job-in-words.ts'
import styles from './jobs.module.css'

/** What was counted before anything was done. */
export function JobPlanned({ job }: { job: Job }) {
  const { plan } = job
  const outcomes = memberOutcomes.filter((outcome) => (plan.byOutcome[outcome] ?? 0) > 0)
  const statuses = leadStatuses.filter((status) => (plan.byStatus[status] ?? 0) > 0)
  if (plan.leads === 0) return null
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{job.startedAt === null ? 'What would happen' : 'What the plan said'}</h2>
      <DataTable
        name="What would happen"
        columns={[
          {
            heading: 'It would be',
            cell: (outcome) => (
              <span className={styles.verdict} data-verdict={verdictOf(outcome)}>
                {verdictWords[verdictOf(outcome)]}
              </span>
            ),
          },
          {
            heading: 'Leads',
            isNumber: true,
            cell: (outcome) => (plan.byOutcome[outcome] ?? 0).toLocaleString('en-US'),
          },
          { heading: 'Why', cell: (outcome) => outcomeWords[outcome].planned },
        ]}
        rows={outcomes}
        keyOf={(outcome) => outcome}
        empty=""
      />
      <h3 className={styles.subheading}>As they stood then</h3>
      <div className={styles.narrow}>
        <DataTable
          name="By status"
          columns={[
            { heading: 'Status', cell: (status) => status },
            {
              heading: 'Leads',
              isNumber: true,
              cell: (status) => (plan.byStatus[status] ?? 0).toLocaleString('en-US'),
            },
          ]}
          rows={statuses}
          keyOf={(status) => status}
          empty=""
        />
      </div>
    </section>
  )
}
