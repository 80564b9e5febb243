import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'

export interface AuditPageProps {
  shell: Shell
  acts: readonly ActRow[]
  /** All that there are, for the filter. */
  actions: readonly string[]
  /** What is asked for; empty for all. */
  filter: { readonly action: string; readonly subject: string }
  /** What in the address says nothing that can be filtered by. */
  problem?: string | undefined
  /** The address of the page that follows; undefined on the last. */
  older: string | undefined
}

interface ActRow {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly via: string
  readonly network: string | null
  readonly action: string
  readonly subject: string | null
  readonly reason: string | null
  readonly outcome: string | null
}

const columns: readonly Column<ActRow>[] = [
  { heading: 'When', cell: ({ at }) => <Moment at={at} /> },
  { heading: 'Who', cell: ({ who }) => who },
  { heading: 'Did', cell: ({ action }) => action },
  { heading: 'To', cell: ({ subject }) => subject && <code>{subject}</code> },
  { heading: 'Why', cell: ({ reason }) => reason },
  { heading: 'What came of it', cell: ({ outcome }) => outcome },
  { heading: 'From', cell: ({ via, network }) => network ?? via },
]

export function AuditPage({ shell, acts, actions, filter, problem, older }: AuditPageProps) {
  return (
    <ConsolePage shell={shell} name="Audit">
      {problem !== undefined && <Notice kind="problem" heading={problem} />}
      <form className={controls.row} method="get" action="/audit" aria-label="Which acts">
        <label>
          <span className={controls.label}>Did</span>
          <select className={controls.select} name="action" defaultValue={filter.action}>
            <option value="">anything</option>
            {actions.map((action) => (
              <option key={action}>{action}</option>
            ))}
          </select>
        </label>
        <label>
          <span className={controls.label}>To (a reference)</span>
          <input className={controls.select} name="subject" defaultValue={filter.subject} />
        </label>
        <button className={controls.button} type="submit">
          Apply
        </button>
        {(filter.action !== '' || filter.subject !== '') && <a href="/audit">Clear</a>}
      </form>
      <DataTable
        name="Audit"
        columns={columns}
        rows={acts}
        keyOf={({ id }) => id}
        empty="Nothing that matches has been done. Everything that changes leads or operators stands here, on the console and on the command line."
      />
      {older !== undefined && (
        <p>
          <a href={older}>Older</a>
        </p>
      )}
    </ConsolePage>
  )
}
