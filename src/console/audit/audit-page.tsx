import { type FilterFieldProps, FilterForm } from '#console/leads/filter-form.tsx'
import { ExportForm } from '#console/leads/leads-page.tsx'
import styles from '#console/leads/list-bar.module.css'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '#console/shell/data-table.tsx'
import { LeadLinks, ShortReference } from '#console/shell/lead-link.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { pluralize } from '#domain/text/pluralize.ts'
import ownStyles from './audit-page.module.css'

export interface AuditPageProps {
  /** The entries to list; undefined if the filter in the URL is invalid. */
  entries: readonly AuditEntryRow[] | undefined
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  older: string | undefined
  /** The filter to export, as a query string; undefined if the page lists no entry or the role may not export. */
  exportQuery: string | undefined
}

/** The target of an audited action: one lead, operator or thing, several leads, or a text such as a filter. */
export type AuditTarget =
  | { readonly id: string; readonly name: string | null }
  | { readonly leads: readonly string[] }
  | string

interface AuditEntryRow {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly via: string
  readonly network: string | null
  readonly action: string
  readonly target: AuditTarget | undefined
  readonly reason: string | null
  /** The changed values: each with its name, the old and the new text. */
  readonly changes: readonly (readonly [name: string, before: string, after: string])[]
  readonly result: string | undefined
}

const columns: readonly Column<AuditEntryRow>[] = [
  { heading: 'Time', isUnlabeled: true, cell: ({ at }) => <Timestamp at={at} /> },
  { heading: 'Actor', isUnlabeled: true, cell: ({ who }) => who },
  { heading: 'Action', isOneLine: true, isUnlabeled: true, cell: ({ action }) => action },
  {
    heading: 'Target',
    isUnlabeled: true,
    cell: ({ target }) => target && <AuditTargetLink target={target} />,
  },
  {
    heading: 'Reason, changes',
    isWide: true,
    cell: ({ reason, changes }) =>
      (reason !== null || changes.length > 0) && (
        <>
          {reason}
          <ChangedValues changes={changes} />
        </>
      ),
  },
  { heading: 'Result', isWide: true, cell: ({ result }) => result },
  { heading: 'Network', cell: ({ via, network }) => network ?? via },
]

function AuditTargetLink({ target }: { target: AuditTarget }) {
  if (typeof target === 'string') return target
  // This link filters the audit log by the target.
  if ('id' in target) {
    const { id, name } = target
    return <a href={`/audit?subject=${id}`}>{name ?? <ShortReference id={id} />}</a>
  }
  if (target.leads.length <= 2) return <LeadLinks ids={target.leads} />
  return (
    <details>
      <summary>{pluralize(target.leads.length, 'lead')}</summary>
      <LeadLinks ids={target.leads} />
    </details>
  )
}

/** The most changed values that an entry shows without a click, because a removal changes all values. */
const maxShownChanges = 3

function ChangedValues({ changes }: Pick<AuditEntryRow, 'changes'>) {
  const list = changes.map(([name, before, after]) => (
    <div key={name}>
      {name}: {before || 'none'} → {after || 'none'}
    </div>
  ))
  if (changes.length <= maxShownChanges) return <div className={ownStyles.changes}>{list}</div>
  return (
    <details className={ownStyles.changes}>
      <summary>{pluralize(changes.length, 'value')}</summary>
      {list}
    </details>
  )
}

export function AuditPage(props: AuditPageProps) {
  const { entries, fields, isFiltered, older, exportQuery } = props
  return (
    <ConsolePage name="Audit">
      <FilterForm action="/audit" fields={fields} isFiltered={isFiltered} />
      {exportQuery !== undefined && (
        <div className={styles.above}>
          <ExportForm
            action="/audit/export"
            name="Export these entries"
            query={exportQuery}
            hint="The file contains every matching entry, including operators’ email addresses. The audit log records the export."
          />
        </div>
      )}
      {entries !== undefined && (
        <DataTable
          name="Audit"
          isCompact
          columns={columns}
          rows={entries}
          empty={
            isFiltered
              ? 'No entries match. Remove a condition, or clear the filter.'
              : 'No entries yet. Changes to leads and operators, on the console or the command line, appear here.'
          }
          next={isFiltered ? { href: '/audit', label: 'Show all entries' } : undefined}
        />
      )}
      <NextPageLink href={older} text="Older" />
    </ConsolePage>
  )
}
