import { fieldIds } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import { PostForm, SubmitButton } from '../shell/forms.tsx'
import styles from './search-form.module.css'

export interface SearchFormProps {
  token: string
  /** Whether the role may search for a person. Other roles search by reference only. */
  findsPeople: boolean
  /** The rest of the filter, as in the address. A search keeps it. */
  query: string
  /** The address of the list without the search; undefined if nobody is searched for. */
  endSearch: string | undefined
  /** The search as the operator typed it, if the server refused it. */
  typed?: string | undefined
  problem: string | undefined
}

const makeSearchHint = (findsPeople: boolean): string =>
  findsPeople
    ? 'A whole email, phone, last name or reference.'
    : 'Search by reference: your role can’t search for a person.'

/** The search is posted, so that the typed text is in no address. */
export function SearchForm({ token, findsPeople, query, typed, problem }: SearchFormProps) {
  const hint = makeSearchHint(findsPeople)
  const ids = fieldIds('search', hint, problem)
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
    Only leads of the person you searched for are listed. What you typed is not kept, and this
    page’s address ends within the hour. <a href={endSearch}>End the search</a>
  </p>
)
