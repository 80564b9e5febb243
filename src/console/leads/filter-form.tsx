import type { FilterName } from '#domain/lead/read-lead-filter.ts'
import controls from '../shell/controls.module.css'
import styles from './leads-page.module.css'

export interface FilterFormProps {
  fields: readonly FilterFieldProps[]
  /** Each of several values of a part, and the address without it. */
  more: readonly FilterValue[]
  /** Opaque; goes on. */
  searchId: string | undefined
  isFiltered: boolean
}

export interface FilterFieldProps {
  name: FilterName
  label: string
  /** Empty for all. */
  value: string
  /** What can be chosen; without them it is typed. */
  options?: readonly FilterOption[] | undefined
  type?: 'date' | undefined
  /** In the typed field, what it may look like. */
  example?: string | undefined
  problem?: string | undefined
}

export interface FilterOption {
  readonly value: string
  readonly label: string
}

export interface FilterValue {
  readonly name: FilterName
  readonly value: string
  /** In words. */
  readonly label: string
  readonly without: string
}

export function FilterForm({ fields, more, searchId, isFiltered }: FilterFormProps) {
  return (
    <form className={styles.filter} method="get" action="/leads" aria-label="Filter">
      {searchId !== undefined && <input type="hidden" name="search" value={searchId} />}
      <fieldset className={styles.fields}>
        <legend>Filter</legend>
        {fields.map((field) => (
          <FilterField key={field.name} {...field} />
        ))}
      </fieldset>
      {more.length > 0 && <MoreValues more={more} />}
      <div className={controls.row}>
        <button className={controls.primary} type="submit">
          Apply
        </button>
        {isFiltered && (
          <a className={controls.button} href="/leads">
            Clear
          </a>
        )}
        <p className={styles.hint}>Days are those of UTC; the last one is included.</p>
      </div>
    </form>
  )
}

/** A field shows one value; whoever asks for several in the address keeps them. */
const MoreValues = ({ more }: Pick<FilterFormProps, 'more'>) => (
  <ul className={styles.more} aria-label="Or">
    {more.map(({ name, value, label, without }) => (
      <li key={name + value}>
        <input type="hidden" name={name} value={value} />
        or {label}{' '}
        <a href={without}>Leave out{<span className="visually-hidden"> {label}</span>}</a>
      </li>
    ))}
  </ul>
)

function FilterField({ name, label, value, options, type, example, problem }: FilterFieldProps) {
  const problemId = `${name}-problem`
  const named = {
    className: controls.select,
    id: name,
    name,
    defaultValue: value,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : problemId,
  }
  return (
    <div className={styles.field}>
      <label className={controls.label} htmlFor={name}>
        {label}
      </label>
      {options === undefined ? (
        <input {...named} type={type ?? 'text'} placeholder={example} autoComplete="off" />
      ) : (
        <select {...named}>
          <option value="">any</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {problem !== undefined && (
        <p id={problemId} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}
