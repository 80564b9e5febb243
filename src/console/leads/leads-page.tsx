import { makeFieldIds } from '#ui/field.tsx'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import columnsFormStyles from './columns-form.module.css'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import {
  EmptyStoreHint,
  type EmptyStoreHintProps,
  type LeadColumn,
  type LeadRow,
  LeadTable,
  leadColumnNames,
  leadColumns,
} from './lead-table.tsx'
import styles from './list-bar.module.css'
import { SavedViews, type SavedViewsProps } from './saved-views.tsx'
import searchStyles from './search-form.module.css'

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

export interface SearchFormProps {
  token: string
  /** Whether the role may search for a person. Other roles search by reference only. */
  findsPeople: boolean
  /** The other filter conditions as a query string. A search keeps them. */
  query: string
  /** The address of the list without the search; undefined if nobody is searched for. */
  endSearch: string | undefined
  /** The search as the operator typed it, if the server refused it. */
  typed?: string | undefined
  problem: string | undefined
}

const makeSearchHint = (findsPeople: boolean): string =>
  findsPeople
    ? 'Enter a full email, phone, last name or reference.'
    : 'Search by reference: your role can’t search for a person.'

/** The search is posted, so that no URL contains the typed text. */
export function SearchForm({ token, findsPeople, query, typed, problem }: SearchFormProps) {
  const hint = makeSearchHint(findsPeople)
  const ids = makeFieldIds('search', hint, problem)
  return (
    <search className={searchStyles.searching}>
      <PostForm
        className={searchStyles.search}
        action="/leads/search"
        aria-label={findsPeople ? 'A person' : 'A reference'}
        token={token}
        fields={{ query }}
      >
        <label className={controls.label} htmlFor={ids.control}>
          Search
        </label>
        <input
          className={controls.input}
          id={ids.control}
          type="search"
          name="search"
          defaultValue={typed}
          autoComplete="off"
          aria-describedby={ids.describedBy}
          aria-invalid={problem !== undefined || undefined}
        />
        <SubmitButton>Find</SubmitButton>
        <p id={ids.hint} className={searchStyles.hint}>
          {hint}
        </p>
        {problem !== undefined && (
          <p id={ids.error} className={searchStyles.problem}>
            {problem}
          </p>
        )}
      </PostForm>
    </search>
  )
}

export const SearchNotice = ({ endSearch }: { endSearch: string }) => (
  <p className={searchStyles.searched}>
    This list shows only leads of the person you searched for. Your search text is not stored, and
    this page’s address expires within an hour. <a href={endSearch}>End the search</a>
  </p>
)

export interface NewJobFormProps {
  /** The filter as names and values of query parameters. */
  parts: readonly (readonly [name: string, value: string])[]
}

/**
 * Opens the page that plans a job for all leads that match the filter, not only those on this page.
 * @param count as in `182 leads`
 */
export const NewJobForm = ({ parts, count }: NewJobFormProps & { count: string }) => (
  <form method="get" action="/jobs/new" aria-label="All of these leads">
    {parts.map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
    <SubmitButton>{count === '1 lead' ? 'Act on this lead…' : `Act on all ${count}…`}</SubmitButton>
  </form>
)

export interface ExportFormProps {
  token: string
  /** The address that the form is posted to. */
  action: string
  name: string
  /** The filter as a query string. */
  query: string
  searchId?: string | undefined
  /** Describes the content of the exported file. */
  hint: string
  /**
   * The address of the page to return to, if the operator has to confirm their identity before they export; see {@link
   * StepUpButton}.
   */
  stepUpFor?: string | undefined
}

/** Exports the list as a file. The server streams the file, so its length has no limit. */
export const ExportForm = (props: ExportFormProps) => {
  const { token, action, name, query, searchId, hint, stepUpFor } = props
  if (stepUpFor !== undefined) {
    return <StepUpButton returnTo={stepUpFor} button="Export" />
  }
  return (
    <PostForm
      className={styles.export}
      id="export"
      data-live-keep=""
      action={action}
      aria-label={name}
      token={token}
      fields={{ query, search: searchId ?? '' }}
    >
      <label className={`${controls.label} ${styles.room}`} htmlFor="format">
        Format
      </label>
      <select className={controls.input} id="format" name="format" aria-describedby="export-hint">
        <option value="csv">CSV, for spreadsheets</option>
        <option value="jsonl">JSON lines, for programs</option>
      </select>
      <SubmitButton aria-describedby="export-hint">Export</SubmitButton>
      <p id="export-hint" className={styles.hint}>
        {hint}
      </p>
    </PostForm>
  )
}

export interface ColumnsFormProps {
  token: string
  shown: readonly LeadColumn[]
  /** The filter as a query string. */
  query: string
  searchId: string | undefined
}

/** Lets operators show or hide each column of the list. The browser remembers the choice, so a phone can show fewer columns. */
export const ColumnsForm = ({ token, shown, query, searchId }: ColumnsFormProps) => (
  <details className={columnsFormStyles.columns}>
    <summary>Columns</summary>
    {/* The id is inside `details`, so that a browser that follows a link to the id opens the `details`. */}
    <PostForm
      id="columns"
      action="/leads/columns"
      aria-label="Columns"
      token={token}
      fields={{ query, search: searchId ?? '' }}
    >
      {leadColumnNames.map((name) => (
        <button
          key={name}
          type="submit"
          name="toggle"
          value={name}
          aria-pressed={shown.includes(name)}
        >
          {leadColumns[name].heading}
        </button>
      ))}
    </PostForm>
  </details>
)
