import { ConfirmFirst } from '../shell/confirm-first.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import columnsFormStyles from './columns-form.module.css'
import { type LeadColumn, leadColumnNames, leadColumns } from './lead-table.tsx'
import styles from './list-bar.module.css'

export interface ActFormProps {
  /** What is listed, as names and values in an address. */
  parts: readonly (readonly [name: string, value: string])[]
}

/** To all that the filter means, however many: what is to be done is asked next, and planned before it is done. */
export const ActForm = ({ parts }: ActFormProps) => (
  <form method="get" action="/jobs/new" aria-label="All of these leads">
    {parts.map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
    <button className={controls.button} type="submit">
      Act on these…
    </button>
  </form>
)

export interface ExportFormProps {
  token: string
  /** Where it is posted to, and what the form is called. */
  action: string
  name: string
  /** What is listed, as in the address. */
  query: string
  searchId?: string | undefined
  /** What the file holds. */
  hint: string
  /** The page to return to, where the operator has to confirm before they export; see {@link ConfirmFirst}. */
  confirmFor?: string | undefined
  /** Opaque: by it a script asks how far the file is. */
  progressId?: string | undefined
}

/** For who may take it with them. The file comes as it is written, however long it is. */
export const ExportForm = (props: ExportFormProps) => {
  const { token, action, name, query, searchId, hint, confirmFor, progressId } = props
  if (confirmFor !== undefined) {
    return <ConfirmFirst className={styles.export} returnTo={confirmFor} button="Export" />
  }
  return (
    <PostForm
      className={styles.export}
      id="export"
      data-live-keep=""
      action={action}
      aria-label={name}
      data-progress={progressId}
      token={token}
    >
      {progressId !== undefined && <input type="hidden" name="progress" value={progressId} />}
      <input type="hidden" name="query" value={query} />
      <input type="hidden" name="search" value={searchId ?? ''} />
      <label className={`${controls.label} ${styles.room}`} htmlFor="format">
        Format
      </label>
      <select className={controls.input} id="format" name="format" aria-describedby="export-hint">
        <option value="csv">CSV, for spreadsheets</option>
        <option value="jsonl">JSON lines, for programs</option>
      </select>
      <button className={controls.button} type="submit" aria-describedby="export-hint">
        Export
      </button>
      <p id="export-hint" className={styles.hint}>
        {hint}
      </p>
      {progressId !== undefined && <p role="status" data-progress-said="" />}
    </PostForm>
  )
}

export interface ColumnsFormProps {
  token: string
  shown: readonly LeadColumn[]
  /** What is listed, as in the address. */
  query: string
  searchId: string | undefined
}

/** What a line shows: kept by this browser, as a phone has room for less than a desk. A press shows one, or takes it away. */
export const ColumnsForm = ({ token, shown, query, searchId }: ColumnsFormProps) => (
  <PostForm
    className={columnsFormStyles.columns}
    id="columns"
    action="/leads/columns"
    aria-label="Columns"
    token={token}
  >
    <input type="hidden" name="query" value={query} />
    <input type="hidden" name="search" value={searchId ?? ''} />
    <p>Columns</p>
    {leadColumnNames.map((name) => (
      <button
        key={name}
        type="submit"
        name="toggle"
        value={name}
        aria-pressed={shown.includes(name)}
      >
        {leadColumns[name]}
      </button>
    ))}
  </PostForm>
)
