import controls from '../shell/controls.module.css'
import { ConfirmFirst, PostForm, Submit } from '../shell/forms.tsx'
import columnsFormStyles from './columns-form.module.css'
import { type LeadColumn, leadColumnNames, leadColumns } from './lead-table.tsx'
import styles from './list-bar.module.css'

export interface ActFormProps {
  /** The filter as names and values in an address. */
  parts: readonly (readonly [name: string, value: string])[]
}

/**
 * Leads to a choice of actions on all leads that match the filter, not only those on this page.
 * @param count as in `182 leads`
 */
export const ActForm = ({ parts, count }: ActFormProps & { count: string }) => (
  <form method="get" action="/jobs/new" aria-label="All of these leads">
    {parts.map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
    <Submit>{count === '1 lead' ? 'Act on this lead…' : `Act on all ${count}…`}</Submit>
  </form>
)

export interface ExportFormProps {
  token: string
  /** Where it is posted to, and what the form is called. */
  action: string
  name: string
  /** The filter as in the address. */
  query: string
  searchId?: string | undefined
  /** The content of the file. */
  hint: string
  /** The page to return to, where the operator has to confirm before they export; see {@link ConfirmFirst}. */
  confirmFor?: string | undefined
}

/** For operators who may export. The file comes as it is written, however long it is. */
export const ExportForm = (props: ExportFormProps) => {
  const { token, action, name, query, searchId, hint, confirmFor } = props
  if (confirmFor !== undefined) {
    return <ConfirmFirst returnTo={confirmFor} button="Export" />
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
      <Submit aria-describedby="export-hint">Export</Submit>
      <p id="export-hint" className={styles.hint}>
        {hint}
      </p>
    </PostForm>
  )
}

export interface ColumnsFormProps {
  token: string
  shown: readonly LeadColumn[]
  /** The filter as in the address. */
  query: string
  searchId: string | undefined
}

/** The columns of the list. This browser remembers them, as a phone has room for fewer. Each button shows or hides one. */
export const ColumnsForm = ({ token, shown, query, searchId }: ColumnsFormProps) => (
  <details className={columnsFormStyles.columns}>
    <summary>Columns</summary>
    {/* A browser that is led to the form opens the details. */}
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
