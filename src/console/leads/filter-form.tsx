import { pluralize } from '#domain/text/pluralize.ts'
import drawn from '#ui/field.module.css'
import { fieldIds } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import { Submit } from '../shell/forms.tsx'
import styles from './filter-form.module.css'
import filtersInForceStyles from './filters-in-force.module.css'

/** These filters are used rarely, so the form folds them away until one of them is set. */
const moreFilters = ['area', 'state', 'signal', 'error', 'verified', 'attempts', 'restored']

export function FilterForm(props: FilterFormProps) {
  const { action, fields, searchId, isFiltered } = props
  const used = partsInForce(fields).length
  const isRare = ({ name }: FilterFieldProps) => moreFilters.includes(name)
  const rest = fields.filter(isRare)
  const fieldOf = (field: FilterFieldProps) => <FilterField key={field.name} {...field} />
  // On a phone the filter opens above the list. A field with an error is never hidden.
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
        {fields.filter((field) => !isRare(field)).map(fieldOf)}
        {rest.length > 0 && (
          <details className={styles.more} open={!isFolded || partsInForce(rest).length > 0}>
            <summary>More filters</summary>
            <div>{rest.map(fieldOf)}</div>
          </details>
        )}
      </fieldset>
      <div className={styles.apply}>
        <Submit look="primary">Apply</Submit>
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
  action: string
  fields: readonly FilterFieldProps[]
  searchId?: string | undefined
  isFiltered: boolean
}

/** A condition of the filter, as the form shows it. */
export interface FilterFieldProps {
  name: string
  label: string
  /** The chosen value; empty if the field does not filter. */
  value: string
  /** Further values after the first; undefined if the filter allows only one. */
  others?: readonly string[] | undefined
  /** The values to choose from; without options the operator types the value. */
  options?: readonly FilterOption[] | undefined
  /** Names for values that operators type but cannot read, such as ids. */
  known?: readonly FilterOption[] | undefined
  type?: 'date' | undefined
  /** An example of a valid value, shown in the empty field. */
  example?: string | undefined
  /** The pattern that the browser enforces before it sends the form, and its description. */
  only?: { readonly pattern: string; readonly said: string } | undefined
  problem?: string | undefined
}

export interface FilterOption {
  readonly value: string
  readonly label: string
}

function FilterField(field: FilterFieldProps) {
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
    // Some browsers don't find a label inside closed details by its `for`, so the field names its label itself.
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
      <OtherValues {...field} />
    </div>
  )
}

/** Shows the values after the first as checkboxes, or as one more text field. Both work without a script. */
function OtherValues({ name, label, others, options }: FilterFieldProps) {
  if (others === undefined) return null
  // A date range has one start and one end. Choosing both of two options would filter nothing.
  if (name === 'from' || name === 'to' || (options !== undefined && options.length <= 2)) {
    return others.map((value) => <input key={value} type="hidden" name={name} value={value} />)
  }
  return (
    <details className={styles.others} open={others.length > 0}>
      <summary>
        {others.length === 0 ? 'or others' : `or ${pluralize(others.length, 'other')}`}
        <span className="visually-hidden">: {label}</span>
      </summary>
      <div>
        {options?.map((option) => (
          <label key={option.value}>
            <input
              className={drawn.checkbox}
              type="checkbox"
              name={name}
              value={option.value}
              defaultChecked={others.includes(option.value)}
            />
            {option.label}
          </label>
        )) ??
          [...others, ''].map((value) => (
            <label key={value}>
              or
              <input
                className={controls.input}
                name={name}
                defaultValue={value}
                autoComplete="off"
              />
            </label>
          ))}
      </div>
    </details>
  )
}

/** Lists the conditions of the filter, each with a link that removes it. */
function FiltersInForce({ action, fields, searchId }: FilterFormProps) {
  const parts = partsInForce(fields)
  if (parts.length === 0) return null
  const addressWithout = (index: number) => {
    const rest = parts.toSpliced(index, 1).map(({ field, value }) => [field.name, value])
    const query = new URLSearchParams([...(searchId ? [['search', searchId]] : []), ...rest])
    return query.size === 0 ? action : `${action}?${query}`
  }
  return (
    <ul className={filtersInForceStyles.inForce} aria-label="Filters in force">
      {parts.map(({ field, value }, index) => (
        <li key={`${field.name} ${value}`}>
          <a className={filtersInForceStyles.part} href={addressWithout(index)}>
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

const partsInForce = (fields: readonly FilterFieldProps[]) =>
  fields.flatMap((field) =>
    [field.value, ...(field.others ?? [])]
      .filter((value) => value !== '')
      .map((value) => ({ field, value })),
  )

export const labelOf = (
  { options = [], known = options }: Pick<FilterFieldProps, 'options' | 'known'>,
  value: string,
): string => known.find((option) => option.value === value)?.label ?? value
