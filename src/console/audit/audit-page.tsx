import type { FilterFieldProps } from '../leads/filter-form.tsx'
import { FilterForm } from '../leads/filter-form.tsx'
import { ExportForm } from '../leads/list-actions.tsx'
import styles from '../leads/list-bar.module.css'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import type { Message } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import { Outcome, type ShownOutcome } from './outcome.tsx'
import { type ShownSubject, Subject } from './subject.tsx'

export interface AuditPageProps {
  shell: Shell
  /** Undefined where nothing was looked for. */
  acts: readonly ActRow[] | undefined
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  problem: Message | undefined
  /** The addresses of the first page, where this is another one, and of the next. */
  newest: string | undefined
  older: string | undefined
  /** What is listed, as in the address, for who may take it with them. */
  exporting: string | undefined
}

interface ActRow {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly via: string
  readonly network: string | null
  readonly action: string
  readonly to: ShownSubject | undefined
  readonly reason: string | null
  readonly cameTo: ShownOutcome | undefined
}

const columns: readonly Column<ActRow>[] = [
  { heading: 'When', isPlain: true, cell: ({ at }) => <Moment at={at} /> },
  { heading: 'Who', isPlain: true, cell: ({ who }) => who },
  { heading: 'Did', isWhole: true, isPlain: true, cell: ({ action }) => action },
  { heading: 'To', isPlain: true, cell: ({ to }) => to && <Subject of={to} /> },
  { heading: 'Why', isLong: true, cell: ({ reason }) => reason },
  { heading: 'Came to', isLong: true, cell: ({ cameTo }) => cameTo && <Outcome of={cameTo} /> },
  { heading: 'From', cell: ({ via, network }) => network ?? via },
]

export function AuditPage(props: AuditPageProps) {
  const { shell, acts, fields, isFiltered, problem, newest, older, exporting } = props
  return (
    <ConsolePage shell={shell} name="Audit" message={problem}>
      <FilterForm action="/audit" fields={fields} isFiltered={isFiltered} />
      {exporting !== undefined && (
        <div className={styles.above}>
          <ExportForm
            token={shell.token}
            action="/audit/export"
            name="A file of these acts"
            query={exporting}
            hint="Exports every matching entry, including operators’ email addresses. The export is recorded in the audit log."
            confirmFor={shell.confirmFor}
          />
        </div>
      )}
      {acts !== undefined && (
        <DataTable
          name="Audit"
          isCompact
          columns={columns}
          rows={acts}
          keyOf={({ id }) => id}
          empty={
            isFiltered
              ? 'Nothing that matches has been done. Leave a part of the filter out, or clear it.'
              : 'Nothing has been done yet. Everything that changes leads or operators stands here, on the console and on the command line.'
          }
        />
      )}
      {(newest ?? older) !== undefined && (
        <nav className={styles.pages} aria-label="Pages of the audit">
          {newest !== undefined && (
            <a className={controls.button} href={newest}>
              Newest
            </a>
          )}
          {older !== undefined && (
            <a className={controls.button} rel="next" href={older}>
              Older
            </a>
          )}
        </nav>
      )}
    </ConsolePage>
  )
}
