import { pluralize } from '#domain/text/pluralize.ts'
import { type FilterFieldProps, FilterForm } from '../leads/filter-form.tsx'
import { ExportForm } from '../leads/leads-page.tsx'
import styles from '../leads/list-bar.module.css'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { LeadLinks, Reference } from '../shell/lead-link.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'

export interface AuditPageProps {
  shell: ConsoleShell
  /** The audit entries; undefined if the address has an invalid filter. */
  entries: readonly EntryRow[] | undefined
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  problem: Message | undefined
  older: string | undefined
  /** The filter as a query string; undefined if the role may not export. */
  exporting: string | undefined
}

/** The target of an action: a lead or an operator, several leads, or text. */
export type AuditTarget =
  | { readonly id: string; readonly email: string | null }
  | { readonly leads: readonly string[] }
  | string

interface EntryRow {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly via: string
  readonly network: string | null
  readonly action: string
  readonly target: AuditTarget | undefined
  readonly reason: string | null
  readonly result: string | undefined
}

const columns: readonly Column<EntryRow>[] = [
  { heading: 'Time', isPlain: true, cell: ({ at }) => <Timestamp at={at} /> },
  { heading: 'Actor', isPlain: true, cell: ({ who }) => who },
  { heading: 'Action', isWhole: true, isPlain: true, cell: ({ action }) => action },
  { heading: 'Target', isPlain: true, cell: ({ target }) => target && <Target of={target} /> },
  { heading: 'Reason', isLong: true, cell: ({ reason }) => reason },
  { heading: 'Result', isLong: true, cell: ({ result }) => result },
  { heading: 'Network', cell: ({ via, network }) => network ?? via },
]

function Target({ of }: { of: AuditTarget }) {
  if (typeof of === 'string') return of
  // The link lists every audit entry about this target.
  if ('id' in of)
    return <a href={`/audit?subject=${of.id}`}>{of.email ?? <Reference id={of.id} />}</a>
  if (of.leads.length <= 2) return <LeadLinks ids={of.leads} />
  return (
    <details>
      <summary>{pluralize(of.leads.length, 'lead')}</summary>
      <LeadLinks ids={of.leads} />
    </details>
  )
}

export function AuditPage(props: AuditPageProps) {
  const { shell, entries, fields, isFiltered, problem, older, exporting } = props
  return (
    <ConsolePage shell={shell} name="Audit" message={problem}>
      <FilterForm action="/audit" fields={fields} isFiltered={isFiltered} />
      {exporting !== undefined && (
        <div className={styles.above}>
          <ExportForm
            token={shell.token}
            action="/audit/export"
            name="Export these entries"
            query={exporting}
            hint="Exports every matching entry, including operators’ email addresses. The export is recorded in the audit log."
            stepUpFor={shell.stepUpFor}
          />
        </div>
      )}
      {entries !== undefined && (
        <DataTable
          name="Audit"
          isCompact
          columns={columns}
          rows={entries}
          keyOf={({ id }) => id}
          empty={
            isFiltered
              ? 'No entries match. Remove a condition, or clear the filter.'
              : 'No entries yet. Changes to leads and operators, on the console or the command line, appear here.'
          }
          next={isFiltered ? { href: '/audit', label: 'Show all entries' } : undefined}
        />
      )}
      {older !== undefined && (
        <a className={controls.button} rel="next" href={older}>
          Older
        </a>
      )}
    </ConsolePage>
  )
}
