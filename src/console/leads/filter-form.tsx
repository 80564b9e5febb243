import drawn from '#ui/field.module.css'
import { fieldIds } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import styles from './filter-form.module.css'
import filtersInForceStyles from './filters-in-force.module.css'

/** Filters of the list of leads that are used less: they are folded away until one of them is used. */
const more: ReadonlySet<string> = new Set([
  'area',
  'state',
  'signal',
  'error',
  'verified',
  'attempts',
  'restored',
])

const fieldOf = (field: FilterFieldProps) => <FilterField key={field.name} {...field} />

const isUsed = ({ value, others = [], problem }: FilterFieldProps): boolean =>
  value !== '' || others.length > 0 || problem !== undefined

export function FilterForm(props: FilterFormProps) {
  const { action, fields, searchId, isFiltered } = props
  const used = partsInForce(fields).length
  const rest = fields.filter(({ name }) => more.has(name))
  // On a phone it opens above the list. A field with an error is never hidden.
  const isFolded = fields.every(({ problem }) => problem === undefined)
  const form = (
    <form
      className={styles.filter}
      id="filter"
      popover={isFolded ? 'auto' : undefined}
      method="get"
      action={action}
      aria-label="Filter"
    >
      {isFolded && (
        <p className={styles.close}>
          <span aria-hidden="true">Filter</span>
          <button
            className={controls.button}
            type="button"
            popoverTarget="filter"
            popoverTargetAction="hide"
          >
            Close<span className="visually-hidden"> the filter</span>
          </button>
        </p>
      )}
      {searchId !== undefined && <input type="hidden" name="search" value={searchId} />}
      <fieldset className={styles.fields}>
        <legend>Filter</legend>
        {fields.filter(({ name }) => !more.has(name)).map(fieldOf)}
        {rest.length > 0 && (
          <details className={styles.more} open={rest.some(isUsed)}>
            <summary>More filters</summary>
            <div>{rest.map(fieldOf)}</div>
          </details>
        )}
      </fieldset>
      <div className={styles.apply}>
        <button className={controls.primary} type="submit">
          Apply
        </button>
        {isFiltered && (
          <a className={controls.button} href={action}>
            Clear
          </a>
        )}
        <p className={styles.hint}>Days are UTC days.</p>
      </div>
    </form>
  )
  return (
    <>
      {isFolded && (
        <p className={styles.open}>
          <button className={controls.button} type="button" popoverTarget="filter">
            {used === 0 ? 'Filter' : `Filter (${used})`}
          </button>
        </p>
      )}
      {isFolded && <FiltersInForce {...props} />}
      {form}
    </>
  )
}

export interface FilterFormProps {
  /** The list’s own address. */
  action: string
  fields: readonly FilterFieldProps[]
  /** Opaque; goes on. */
  searchId?: string | undefined
  isFiltered: boolean
}

/** One part of the filter, as it is shown in the form. */
export interface FilterFieldProps {
  name: string
  label: string
  /** Empty for all. */
  value: string
  /** Further values after the first; undefined if only one is possible. */
  others?: readonly string[] | undefined
  /** The choices; without them the value is typed. */
  options?: readonly FilterOption[] | undefined
  /** Typed values that mean nothing by themselves. */
  known?: readonly FilterOption[] | undefined
  type?: 'date' | undefined
  /** In the typed field, what it may look like. */
  example?: string | undefined
  /** The accepted pattern and its description: the browser sends nothing else. */
  only?: { readonly pattern: string; readonly said: string } | undefined
  problem?: string | undefined
}

export interface FilterOption {
  readonly value: string
  readonly label: string
}

export function FilterField(field: FilterFieldProps) {
  const { name, label, value, options, known = [], type, example, only, problem } = field
  const ids = fieldIds(name, undefined, problem)
  const meaning = known.find((one) => one.value === value)?.label
  const described = [
    ...(problem === undefined ? [] : [ids.error]),
    ...(meaning === undefined ? [] : [`${name}-meaning`]),
  ]
  const named = {
    className: controls.input,
    id: ids.control,
    name,
    defaultValue: value,
    // One engine doesn't find a label inside closed details by its `for`.
    'aria-labelledby': `${name}-label`,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
  }
  return (
    <div className={styles.field}>
      <label className={controls.label} id={`${name}-label`} htmlFor={ids.control}>
        {label}
      </label>
      {options === undefined ? (
        <input
          {...named}
          type={type ?? 'text'}
          placeholder={example}
          pattern={only?.pattern}
          title={only?.said}
          autoComplete="off"
        />
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
        <p id={ids.error} className={styles.problem}>
          {problem}
        </p>
      )}
      {meaning !== undefined && (
        <p id={`${name}-meaning`} className={styles.hint}>
          {meaning}
        </p>
      )}
      {field.others !== undefined && <MultiValueField {...field} others={field.others} />}
    </div>
  )
}

type MultiValueFieldProps = FilterFieldProps & { others: readonly string[] }

/**
 * A part may have several values: the field has the first, and these are the others. Checkboxes, or one more line to type
 * in: both do without a script.
 */
export function MultiValueField(field: MultiValueFieldProps) {
  const { name, label, others, options } = field
  // One day begins, one ends; and of two values both are the same as any.
  if (name === 'from' || name === 'to' || (options !== undefined && options.length <= 2)) {
    return others.map((value) => <input key={value} type="hidden" name={name} value={value} />)
  }
  const count = others.length
  return (
    <details className={styles.others} open={count > 0}>
      <summary>
        {count === 0 ? 'or others' : `or ${count} ${count === 1 ? 'other' : 'others'}`}
        <span className="visually-hidden">: {label}</span>
      </summary>
      <div>{options === undefined ? <Lines {...field} /> : <Boxes {...field} />}</div>
    </details>
  )
}

const Boxes = ({ name, others, options = [] }: MultiValueFieldProps) =>
  options.map(({ value, label }) => (
    <label key={value}>
      <input
        className={drawn.checkbox}
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={others.includes(value)}
      />
      {label}
    </label>
  ))

const Lines = ({ name, others }: MultiValueFieldProps) =>
  [...others, ''].map((value) => (
    <label key={value}>
      or
      <input className={controls.input} name={name} defaultValue={value} autoComplete="off" />
    </label>
  ))

type Part = readonly [name: string, value: string]

/** Where the filter is folded away: what it has, each of it to be taken out by itself, and all of it. */
export function FiltersInForce({ action, fields, searchId }: FilterFormProps) {
  const parts = partsInForce(fields)
  if (parts.length === 0) return null
  const all = parts.map(({ field, value }): Part => [field.name, value])
  return (
    <ul className={filtersInForceStyles.inForce} aria-label="Filters in force">
      {parts.map(({ field, value }, index) => (
        <li key={`${field.name} ${value}`}>
          <a
            className={filtersInForceStyles.part}
            href={addressOf(action, all.toSpliced(index, 1), searchId)}
          >
            <span>
              <span className="visually-hidden">Leave out </span>
              {field.label}: {labelOf(field, value)}
            </span>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      <li>
        <a className={controls.button} href={action}>
          Clear
        </a>
      </li>
    </ul>
  )
}

/** Each value by itself, as it can be left out. */
export const partsInForce = (fields: readonly FilterFieldProps[]) =>
  fields.flatMap((field) => valuesOf(field).map((value) => ({ field, value })))

const valuesOf = ({ value, others = [] }: FilterFieldProps): readonly string[] =>
  [value, ...others].filter((one) => one !== '')

const labelOf = ({ options = [], known = options }: FilterFieldProps, value: string): string =>
  known.find((option) => option.value === value)?.label ?? value

function addressOf(action: string, parts: readonly Part[], searchId: string | undefined): string {
  const search: readonly Part[] = searchId === undefined ? [] : [['search', searchId]]
  const query = new URLSearchParams([...search, ...parts].map(([name, value]) => [name, value]))
  return query.size === 0 ? action : `${action}?${query}`
}

/** Leads restored from a backup that may have been delivered since. */
export const inDoubtAddress = '/leads?restored=in-doubt'
