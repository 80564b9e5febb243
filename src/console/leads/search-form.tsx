import { makeFieldIds } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import { PostForm, SubmitButton } from '../shell/forms.tsx'
import styles from './search-form.module.css'

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
    <search className={styles.searching}>
      <PostForm
        className={styles.search}
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
        <p id={ids.hint} className={styles.hint}>
          {hint}
        </p>
        {problem !== undefined && (
          <p id={ids.error} className={styles.problem}>
            {problem}
          </p>
        )}
      </PostForm>
    </search>
  )
}

export const SearchNotice = ({ endSearch }: { endSearch: string }) => (
  <p className={styles.searched}>
    This list shows only leads of the person you searched for. Your search text is not stored, and
    this page’s address expires within an hour. <a href={endSearch}>End the search</a>
  </p>
)
