import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { NextPageLink } from '#console/shell/data-table.tsx'
import { PostForm, StepUpButton, SubmitButton } from '#console/shell/forms.tsx'
import { useFieldErrors, useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { type SearchTerm, searchTermNames } from '#domain/lead/person-search.ts'
import { makeFieldIds } from '#ui/field.tsx'
import columnsFormStyles from './columns-form.module.css'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import {
  EmptyStoreHint,
  type EmptyStoreHintProps,
  type LeadColumn,
  LeadTable,
  type LeadTableRow,
  leadColumnNames,
  leadTableColumns,
} from './lead-table.tsx'
import styles from './list-bar.module.css'
import { SavedViews, type SavedViewsProps } from './saved-views.tsx'
import searchStyles from './search-form.module.css'

export interface LeadsPageProps extends EmptyStoreHintProps {
  /** The filter as a query string. */
  filterQuery: string
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  /** The URL of the list without the search; undefined if the list shows no search results. */
  endSearch: string | undefined
  /** The text that the operator typed, if the server refused the search. */
  typedSearch: string | undefined
  filter: FilterFormProps
  /** What the operator searched for; undefined if unknown. */
  searchTerm: SearchTerm | undefined
  /** The leads to list; undefined if the filter or the search has an error. */
  list?: LeadList | undefined
  views: Pick<SavedViewsProps, 'views' | 'query' | 'typed'>
  columns: readonly LeadColumn[]
}

export interface LeadList {
  rows: readonly LeadTableRow[]
  /** The number of leads, as in `182 leads`. */
  count: string
  /** How many people the leads of a search concern, in words; undefined without a search. */
  people: string | undefined
  /** The search covers leads received since this time, in epoch milliseconds; undefined if it covers all leads. */
  searchedUntil: number | undefined
  isToSettle: boolean
  /** Whether the list has no filter, so that an empty list means an empty store. */
  isUnfiltered: boolean
  /** The text that replaces an empty list. */
  empty: string
  older: string | undefined
}

export function LeadsPage(props: LeadsPageProps) {
  const { query, endSearch, searchTerm, filter, list, views } = props
  const mayDo = useMayDo()
  return (
    <ConsolePage name="Leads" isLive={list !== undefined} actions={<SearchForm {...props} />}>
      {endSearch !== undefined && (
        <p className={searchStyles.searched}>
          This list shows only leads{' '}
          {searchTerm === undefined
            ? 'that you searched for'
            : `with this ${searchTermNames[searchTerm]}`}
          .{searchTerm === 'name' && ' The search ignores first names.'} Your search text is not
          stored, and this page’s URL expires within an hour. <a href={endSearch}>End the search</a>
        </p>
      )}
      <FilterForm {...filter} />
      <SavedViews {...views} />
      {list !== undefined && (
        <>
          <div className={styles.above}>
            <p className={styles.count}>
              {list.count}
              {list.people !== undefined && ` of ${list.people}`}
            </p>
            {list.rows.length > 0 && (
              <>
                {mayDo('run jobs') && <NewJobForm query={query} count={list.count} />}
                {mayDo('export leads') && (
                  <ExportForm
                    action="/leads/export"
                    name="Export these leads"
                    query={query}
                    count={list.people === undefined ? undefined : list.count}
                    hint="The file contains personal data. The audit log records the export."
                  />
                )}
                <ColumnsForm {...props} />
              </>
            )}
          </div>
          <LeadListResults {...props} list={list} />
        </>
      )}
    </ConsolePage>
  )
}

function LeadListResults({ site, columns, list }: LeadsPageProps & { list: LeadList }) {
  const { rows, searchedUntil, isToSettle, isUnfiltered, empty, older } = list
  return (
    <div data-live-rows="">
      <LeadTable
        columns={columns}
        rows={rows}
        empty={isUnfiltered ? <EmptyStore site={site} /> : empty}
        next={
          !isUnfiltered
            ? { href: '/leads', label: 'Show all leads' }
            : site === undefined
              ? undefined
              : { href: site, label: 'Send an enquiry' }
        }
        isToSettle={isToSettle}
      />
      {searchedUntil !== undefined && (
        <p>
          Searched back to <Timestamp at={searchedUntil} />.
        </p>
      )}
      <NextPageLink
        href={older}
        text={searchedUntil === undefined ? 'Older' : 'Search further back'}
      />
    </div>
  )
}

const EmptyStore = ({ site }: EmptyStoreHintProps) => (
  <>
    <b>No leads yet.</b> <EmptyStoreHint site={site} />
  </>
)

/** Posts the search, so that no URL contains the typed text. */
function SearchForm({ filterQuery, typedSearch }: LeadsPageProps) {
  const mayDo = useMayDo()
  const findsPeople = mayDo('search for a person')
  const hint = findsPeople
    ? 'Enter a full email address, phone number, last name or reference.'
    : 'Search by reference: your role can’t search for a person.'
  const error = useFieldErrors().search
  const ids = makeFieldIds('search', hint, error)
  return (
    <search className={searchStyles.searching}>
      <PostForm
        className={searchStyles.search}
        action="/leads/search"
        aria-label={findsPeople ? 'Search for a person' : 'Search by reference'}
        fields={{ query: filterQuery }}
      >
        <label className={controls.label} htmlFor={ids.control}>
          Search
        </label>
        <input
          className={controls.input}
          id={ids.control}
          type="search"
          name="search"
          defaultValue={typedSearch}
          autoComplete="off"
          aria-describedby={ids.describedBy}
          aria-invalid={error !== undefined || undefined}
        />
        <SubmitButton>Find</SubmitButton>
        <p id={ids.hint} className={searchStyles.hint}>
          {hint}
        </p>
        {error !== undefined && (
          <p id={ids.error} className={searchStyles.problem}>
            {error}
          </p>
        )}
      </PostForm>
    </search>
  )
}

/** Opens the page that plans a job for all leads that match the filter, not only those on this page. */
const NewJobForm = ({ query, count }: { query: string; count: string }) => (
  <form method="get" action="/jobs/new" aria-label="Act on these leads">
    {[...new URLSearchParams(query)].map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
    <SubmitButton>{count === '1 lead' ? 'Act on this lead…' : `Act on all ${count}…`}</SubmitButton>
  </form>
)

interface ExportFormProps {
  /** The path that receives the form. */
  action: string
  name: string
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  /** The number of exported leads, as in `182 leads`, for the button; undefined if the button names no number. */
  count?: string | undefined
  /** Describes the content of the exported file. */
  hint: string
}

/** Downloads the list as a file. The server streams the file, so its length has no limit. */
export const ExportForm = ({ action, name, query, count, hint }: ExportFormProps) => {
  const needsStepUp = useNeedsStepUp()
  const button = count === undefined ? 'Export' : `Export ${count}`
  if (needsStepUp) {
    return <StepUpButton button={button} />
  }
  return (
    <PostForm
      className={styles.export}
      id="export"
      data-live-keep=""
      action={action}
      aria-label={name}
      fields={{ query }}
    >
      <label className={`${controls.label} ${styles.room}`} htmlFor="format">
        Format
      </label>
      <select className={controls.input} id="format" name="format" aria-describedby="export-hint">
        <option value="csv">CSV, for spreadsheets</option>
        <option value="jsonl">JSON lines, for programs</option>
      </select>
      <SubmitButton aria-describedby="export-hint">{button}</SubmitButton>
      <p id="export-hint" className={styles.hint}>
        {hint}
      </p>
    </PostForm>
  )
}

/** Lets the operator choose the columns. Each browser remembers its own choice, so a phone can show fewer columns. */
const ColumnsForm = ({ columns, query }: LeadsPageProps) => (
  <details className={columnsFormStyles.columns}>
    <summary>Columns</summary>
    {/* The id is inside `details`, because a browser opens the `details` around the target of a link. */}
    <PostForm id="columns" action="/leads/columns" aria-label="Columns" fields={{ query }}>
      {leadColumnNames.map((name) => (
        <button
          key={name}
          type="submit"
          name="toggle"
          value={name}
          aria-pressed={columns.includes(name)}
        >
          {leadTableColumns[name].heading}
        </button>
      ))}
    </PostForm>
  </details>
)
