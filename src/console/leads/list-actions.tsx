import controls from '../shell/controls.module.css'
import { PostForm, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import columnsFormStyles from './columns-form.module.css'
import { type LeadColumn, leadColumnNames, leadColumns } from './lead-table.tsx'
import styles from './list-bar.module.css'

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
  confirmFor?: string | undefined
}

/** Exports the list as a file. The server streams the file, so its length has no limit. */
export const ExportForm = (props: ExportFormProps) => {
  const { token, action, name, query, searchId, hint, confirmFor } = props
  if (confirmFor !== undefined) {
    return <StepUpButton returnTo={confirmFor} button="Export" />
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
