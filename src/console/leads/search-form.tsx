import { KeyHint } from '../keys/key-hint.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/post-form.tsx'
import styles from './leads-page.module.css'

export interface SearchFormProps {
  token: string
  /** What else is asked for, as in the address: it is kept. */
  query: string
  /** Where somebody is searched for: the address without it. */
  endSearch: string | undefined
  /** How many leads were not searched, in words. */
  unsearched: string | undefined
  problem: string | undefined
}

/** Posted: what is typed here stands in no address. */
export function SearchForm({ token, query, endSearch, unsearched, problem }: SearchFormProps) {
  return (
    <search>
      <PostForm
        className={styles.search}
        action="/leads/search"
        aria-label="A person"
        token={token}
      >
        <input type="hidden" name="query" value={query} />
        <div className={styles.searchField}>
          <label className={controls.label} htmlFor="search">
            Search
          </label>
          <input
            className={controls.select}
            id="search"
            data-hotkey="/"
            type="search"
            name="search"
            placeholder=" "
            autoComplete="off"
            aria-describedby={problem === undefined ? 'search-hint' : 'search-hint search-problem'}
            aria-invalid={problem !== undefined || undefined}
          />
          <KeyHint of="/" />
        </div>
        <button className={controls.button} type="submit">
          Find
        </button>
        <p id="search-hint" className={styles.hint}>
          A whole email address, phone number, last name or reference. It stands in no address and
          no log.
        </p>
        {problem !== undefined && (
          <p id="search-problem" className={styles.problem}>
            {problem}
          </p>
        )}
      </PostForm>
      {endSearch !== undefined && (
        <p className={styles.searched}>
          Only the leads of whom you searched for are listed. What you typed is kept nowhere, and
          its address ends within the hour. {unsearched !== undefined && `${unsearched} `}
          <a href={endSearch}>End the search</a>
        </p>
      )}
    </search>
  )
}
