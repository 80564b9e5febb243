import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import { EmptyStoreHint, type EmptyStoreHintProps, type LeadRow, LeadTable } from './lead-table.tsx'
import {
  ColumnsForm,
  type ColumnsFormProps,
  ExportForm,
  type ExportFormProps,
  NewJobForm,
  type NewJobFormProps,
} from './list-actions.tsx'
import styles from './list-bar.module.css'
import { SavedViews, type SavedViewsProps } from './saved-views.tsx'
import { SearchForm, type SearchFormProps, SearchNotice } from './search-form.tsx'

export interface LeadsPageProps extends EmptyStoreHintProps {
  shell: ConsoleShell
  message: Message | undefined
  search: Omit<SearchFormProps, 'token'>
  filter: FilterFormProps
  /** The found leads; undefined if the search was not run. */
  list?: LeadList | undefined
  views: SavedViewsProps
  /** The form for bulk actions; undefined if no lead matches or the operator may not act. */
  acting: NewJobFormProps | undefined
  columns: ColumnsFormProps
  /** The export form; undefined if the operator may not export. */
  exporting: ExportFormProps | undefined
}

export interface LeadList {
  rows: readonly LeadRow[]
  /** The number of leads, as in `182 leads`. */
  count: string
  /** The time of receipt, in epoch milliseconds, where the search stopped; undefined if it covered all leads. */
  lookedUntil: number | undefined
  isToSettle: boolean
  /** True if no filter is set, so that an empty list means that there is no lead at all. */
  isNoneYet: boolean
  empty: string
  older: string | undefined
}

export function LeadsPage(props: LeadsPageProps) {
  const { shell, site, message, search, filter, list, views, columns, acting, exporting } = props
  return (
    <ConsolePage
      shell={shell}
      name="Leads"
      message={message}
      isLive={list !== undefined}
      beside={<SearchForm token={shell.token} {...search} />}
    >
      {search.endSearch !== undefined && <SearchNotice endSearch={search.endSearch} />}
      <FilterForm {...filter} />
      <SavedViews {...views} />
      {list !== undefined && (
        <>
          <div className={styles.above}>
            <p className={styles.count}>{list.count}</p>
            {acting !== undefined && <NewJobForm {...acting} count={list.count} />}
            {exporting !== undefined && <ExportForm {...exporting} />}
            {list.rows.length > 0 && <ColumnsForm {...columns} />}
          </div>
          <LeadResults site={site} list={list} columns={columns.shown} />
        </>
      )}
    </ConsolePage>
  )
}

interface LeadResultsProps extends EmptyStoreHintProps {
  list: LeadList
  columns: ColumnsFormProps['shown']
}

function LeadResults({ site, list, columns }: LeadResultsProps) {
  const { rows, lookedUntil, isToSettle, isNoneYet, empty, older } = list
  return (
    <div data-live-rows="">
      <LeadTable
        columns={columns}
        rows={rows}
        empty={isNoneYet ? <EmptyList site={site} /> : empty}
        next={
          isNoneYet
            ? site && { href: site, label: 'Send an enquiry' }
            : { href: '/leads', label: 'Show all leads' }
        }
        isToSettle={isToSettle}
      />
      {lookedUntil !== undefined && (
        <p>
          Searched back to <Timestamp at={lookedUntil} />.
        </p>
      )}
      {older !== undefined && (
        <a className={controls.button} rel="next" href={older}>
          {lookedUntil === undefined ? 'Older' : 'Search further back'}
        </a>
      )}
    </div>
  )
}

const EmptyList = ({ site }: EmptyStoreHintProps) => (
  <>
    <b>No leads yet.</b> <EmptyStoreHint site={site} />
  </>
)
