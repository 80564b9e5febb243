import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/post-form.tsx'
import styles from './leads-page.module.css'

export interface ExportFormProps {
  token: string
  /** What is listed, as in the address. */
  query: string
  searchId: string | undefined
  /** In words. */
  count: string
}

/** For who may take leads with them. The file comes as it is written, however many they are. */
export const ExportForm = ({ token, query, searchId, count }: ExportFormProps) => (
  <PostForm
    className={styles.export}
    action="/leads/export"
    aria-label="A file of these leads"
    token={token}
  >
    <input type="hidden" name="query" value={query} />
    <input type="hidden" name="search" value={searchId ?? ''} />
    <div className={controls.row}>
      <div>
        <label className={controls.label} htmlFor="format">
          Format
        </label>
        <select className={controls.select} id="format" name="format">
          <option value="csv">CSV, for spreadsheets</option>
          <option value="jsonl">JSON lines, for programs</option>
        </select>
      </div>
      <button className={controls.button} type="submit">
        Export
      </button>
      <p className={styles.hint}>{count}, with personal data. It is written down in the audit.</p>
    </div>
  </PostForm>
)
