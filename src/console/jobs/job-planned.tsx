import type { Job } from '#domain/job/job.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { DataTable } from '../shell/data-table.tsx'
import styles from './job-page.module.css'
import { OutcomeTable } from './outcome-table.tsx'

/** What was counted before anything was done. */
export function JobPlanned({ job }: { job: Job }) {
  const { plan } = job
  const statuses = leadStatuses.filter((status) => (plan.byStatus[status] ?? 0) > 0)
  if (plan.leads === 0) return null
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{job.startedAt === null ? 'What would happen' : 'What the plan said'}</h2>
      <OutcomeTable
        name="What would happen"
        heading="It would be"
        counts={plan.byOutcome}
        tense="planned"
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
