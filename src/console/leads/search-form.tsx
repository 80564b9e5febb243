import { KeyHint } from '../keys/key-hint.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/post-form.tsx'
import styles from './search-form.module.css'

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
export function SearchForm({ token, query, problem }: SearchFormProps) {
  return (
    <search className={styles.searching}>
      <PostForm
        className={styles.search}
        action="/leads/search"
        aria-label="A person"
        token={token}
      >
        <input type="hidden" name="query" value={query} />
        <label className={controls.label} htmlFor="search">
          Search
        </label>
        <div className={styles.searchField}>
          <input
            className={controls.input}
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
          A whole email, phone, last name or reference.
        </p>
        {problem !== undefined && (
          <p id="search-problem" className={styles.problem}>
            {problem}
          </p>
        )}
      </PostForm>
    </search>
  )
}

interface SearchedProps extends Pick<SearchFormProps, 'unsearched'> {
  endSearch: string
}

export const Searched = ({ endSearch, unsearched }: SearchedProps) => (
  <p className={styles.searched}>
    Only leads of the person you searched for are listed. What you typed is not kept, and this
    page’s address ends within the hour. {unsearched !== undefined && `${unsearched} `}
    <a href={endSearch}>End the search</a>
  </p>
)
