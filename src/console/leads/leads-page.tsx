import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { NextPageLink } from '#console/shell/data-table.tsx'
import { ButtonForm, PostForm, StepUpButton, SubmitButton } from '#console/shell/forms.tsx'
import { useFieldErrors, useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { searchTermNames } from '#domain/lead/person-search.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import type { ListedLeads } from '#server/leads/list-leads.ts'
import { makeFieldIds } from '#ui/field.tsx'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import { EmptyStoreHint, type EmptyStoreHintProps, LeadTable } from './lead-table.tsx'
import styles from './list-bar.module.css'
import { formatLeadsQuery, type LeadsRequest, makeLeadsUrl } from './read-filter.ts'
import { SavedViews, type SavedViewsProps } from './saved-views.tsx'
import searchStyles from './search-form.module.css'

export interface LeadsPageProps extends EmptyStoreHintProps {
  requested: LeadsRequest
  /** The leads to list; undefined if the filter or the search has an error. */
  found: ListedLeads | undefined
  /** The text that the operator typed, if the server refused the search. */
  typedSearch: string | undefined
  filter: FilterFormProps
  views: SavedViewsProps
}

export function LeadsPage(props: LeadsPageProps) {
  const { requested, found, filter, views } = props
  const { query, searchId } = requested.address
  const mayDo = useMayDo()
  const count = found && formatCount(found)
  return (
    <ConsolePage
      name="Leads"
      isLive={found !== undefined}
      actions={<SearchForm query={query} typed={props.typedSearch} />}
    >
      {searchId && (
        <p className={searchStyles.searched}>
          This list shows only leads{' '}
          {found?.searchTerm === undefined
            ? 'that you searched for'
            : `with this ${searchTermNames[found.searchTerm]}`}
          .{found?.searchTerm === 'name' && ' The search ignores first names.'} Your search text is
          not stored, and this page’s URL expires within an hour.{' '}
          <a href={makeLeadsUrl({ query })}>End the search</a>
        </p>
      )}
      <FilterForm {...filter} />
      <SavedViews {...views} />
      {found && count && (
        <>
          <div className={styles.above}>
            <p className={styles.count}>{count}</p>
            {found.leads.length > 0 && (
              <>
                {/* A person has few leads, and each lead’s page has the same actions. */}
                {searchId === undefined && mayDo('run jobs') && (
                  <NewJobForm query={query} count={count} />
                )}
                {searchId && found.searchTerm !== 'name' && mayDo('stop contact') && (
                  <ButtonForm
                    method="get"
                    action="/do-not-contact/stop"
                    button="Stop contact"
                    fields={{ search: searchId }}
                  />
                )}
                {mayDo('export leads') && (
                  <ExportForm
                    action="/leads/export"
                    name="Export these leads"
                    query={formatLeadsQuery(requested.address)}
                    count={searchId && count}
                    hint="The file contains personal data. The audit log records the export."
                  />
                )}
              </>
            )}
          </div>
          <LeadListResults {...props} found={found} />
        </>
      )}
    </ConsolePage>
  )
}

/** Formats the number of leads, as in `10,000+ leads` if not all were counted. */
function formatCount({ matches: { count, isAll } }: ListedLeads): string {
  if (isAll) return pluralize(count, 'lead')
  return count === 0 ? 'None found so far' : `${formatNumber(count)}+ leads`
}

function LeadListResults({
  site,
  requested: { read, address },
  found,
}: LeadsPageProps & { found: ListedLeads }) {
  const { leads, next, searchedUntil } = found
  const maySettle = useMayDo()('settle deliveries')
  // Without a filter, an empty list means an empty store.
  const isUnfiltered = address.query === '' && address.searchId === undefined
  const siteLink = site === undefined ? undefined : { href: site, label: 'Send an enquiry' }
  return (
    <div data-live-rows="">
      <LeadTable
        rows={leads}
        empty={
          isUnfiltered ? (
            <>
              <b>No leads yet.</b> <EmptyStoreHint site={site} />
            </>
          ) : (
            explainEmptyList(found, address.query !== '')
          )
        }
        next={isUnfiltered ? siteLink : { href: '/leads', label: 'Show all leads' }}
        isToSettle={read.filter.restored.length > 0 && maySettle}
      />
      {searchedUntil !== undefined && (
        <p>
          Searched back to <Timestamp at={searchedUntil} />.
        </p>
      )}
      <NextPageLink
        href={next && makeLeadsUrl(address, next)}
        text={searchedUntil === undefined ? 'Older' : 'Search further back'}
      />
    </div>
  )
}

function explainEmptyList({ searchedUntil, searchTerm }: ListedLeads, isFiltered: boolean): string {
  if (searchedUntil !== undefined) return 'Nothing found yet: search further back.'
  return searchTerm === undefined
    ? `No lead matches. Remove a condition, or search for ${searchableTexts}.`
    : `No lead${isFiltered ? ' that matches the filter' : ''} has this ${searchTermNames[searchTerm]}. You can search for ${searchableTexts}, but not for a first name or a part of these.`
}

export const searchableTexts = 'a full email address, phone number, last name or reference'

/** Posts the search, so that no URL contains the typed text. */
function SearchForm({ query, typed }: { query: string; typed: string | undefined }) {
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
  action: string
  name: string
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  /** The number of exported leads, as in `182 leads`, for the button; undefined if the button names no number. */
  count?: string | undefined
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
