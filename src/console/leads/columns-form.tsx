import { PostForm } from '../shell/post-form.tsx'
import styles from './columns-form.module.css'
import { type LeadColumn, leadColumnNames, leadColumns } from './lead-columns.ts'

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
    className={styles.columns}
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
