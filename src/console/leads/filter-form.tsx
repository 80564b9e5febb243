import controls from '#console/shell/controls.module.css'
import { SubmitButton } from '#console/shell/forms.tsx'
import { pluralize } from '#domain/text/formats.ts'
import fieldStyles from '#ui/field.module.css'
import { makeFieldIds } from '#ui/field.tsx'
import styles from './filter-form.module.css'

/** Rare filters, which the form hides under *More filters* until the operator sets one of them. */
const moreFilters = [
  'source',
  'campaign',
  'medium',
  'content',
  'signal',
  'error',
  'restored',
  'returned',
  'rejected',
  'held',
]

export function FilterForm(props: FilterFormProps) {
  const { action, fields, hidden, isFiltered, name = 'Filter' } = props
  const usedCount = countUsedFilters(fields)
  const isRare = ({ name }: FilterFieldProps) => moreFilters.includes(name)
  const rest = fields.filter(isRare)
  const fieldOf = (field: FilterFieldProps) => <FilterField key={field.name} {...field} />
  // On a phone the form is a popover, unless a field has an error, which must stay in sight.
  const isPopover = fields.every(({ problem }) => problem === undefined)
  return (
    <>
      {isPopover && (
        <p className={styles.open}>
          <button className={controls.button} type="button" popoverTarget="filter">
            {usedCount === 0 ? name : `${name} (${usedCount})`}
          </button>
        </p>
      )}
      <form
        className={styles.filter}
        id="filter"
        popover={isPopover ? 'auto' : undefined}
        method="get"
        action={action}
        aria-label={name}
      >
        {isPopover && (
          <p className={styles.close}>
            <span aria-hidden="true">{name}</span>
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
        {Object.entries(hidden ?? {})
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
        <fieldset className={styles.fields}>
          <legend>{name}</legend>
          {fields.filter((field) => !isRare(field)).map(fieldOf)}
          {rest.length > 0 && (
            <details className={styles.more} open={!isPopover || countUsedFilters(rest) > 0}>
              <summary>More filters</summary>
              <div>{rest.map(fieldOf)}</div>
            </details>
          )}
        </fieldset>
        <div className={styles.apply}>
          <SubmitButton variant="primary">Apply</SubmitButton>
          {isFiltered && <SubmitButton form="without-filter">Clear</SubmitButton>}
        </div>
      </form>
      {isFiltered && <form id="without-filter" action={action} />}
    </>
  )
}

export interface FilterFormProps {
  action: string
  fields: readonly FilterFieldProps[]
  /** Further parameters that the form keeps in the URL. */
  hidden?: Readonly<Record<string, string | undefined>>
  isFiltered: boolean
  /** What the form filters, if not the whole page. */
  name?: string
}

export interface FilterFieldProps {
  name: string
  label: string
  /** The filter's first value; empty if the field does not filter. */
  value: string
  /** The values after the first; undefined if the filter allows only one value. */
  others?: readonly string[] | undefined
  /** The values to choose from. If undefined, the operator types a value into a text field. */
  options?: readonly FilterOption[] | undefined
  type?: 'date' | undefined
  /** Known values that the browser suggests while the operator types. */
  suggestions?: readonly string[] | undefined
  /** An example of a valid value, shown in the empty field. */
  example?: string | undefined
  /** The pattern that the browser checks before it sends the form, and a description of the pattern. */
  only?: { readonly pattern: string; readonly description: string } | undefined
  problem?: string | undefined
}

export interface FilterOption {
  readonly value: string
  readonly label: string
}

/** Shows a field of a form that selects what a page shows. */
export function FilterField(field: FilterFieldProps) {
  const { name, label, value, options, suggestions, type, example, only, problem } = field
  const ids = makeFieldIds(name, undefined, problem)
  const control = {
    className: controls.input,
    id: ids.control,
    name,
    defaultValue: value,
    // Some browsers ignore a label's `for` inside closed `details`.
    'aria-labelledby': `${name}-label`,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': ids.describedBy,
  }
  return (
    <div className={styles.field}>
      <label className={controls.label} id={`${name}-label`} htmlFor={ids.control}>
        {label}
      </label>
      {options === undefined ? (
        <input
          {...control}
          type={type ?? 'text'}
          placeholder={example}
          pattern={only?.pattern}
          title={only?.description}
          list={suggestions && `${name}-values`}
          autoComplete="off"
        />
      ) : (
        <select {...control}>
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
      {suggestions && (
        <datalist id={`${name}-values`}>
          {suggestions.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      )}
      <AdditionalValues {...field} />
    </div>
  )
}

/** Shows the values after the first: checkboxes for a filter with three or more options, otherwise text fields. */
function AdditionalValues({ name, label, others, options, suggestions }: FilterFieldProps) {
  if (others === undefined) return null
  if (options === undefined) {
    return others.map((value) => (
      <input
        key={value}
        className={controls.input}
        name={name}
        defaultValue={value}
        aria-label={`${label}, another value`}
        list={suggestions && `${name}-values`}
        autoComplete="off"
      />
    ))
  }
  if (options.length <= 2 && others.length === 0) return null
  return (
    <details className={styles.others} open={others.length > 0}>
      <summary>
        {others.length === 0 ? 'or others' : `or ${pluralize(others.length, 'other')}`}
        <span className="visually-hidden">: {label}</span>
      </summary>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              className={fieldStyles.checkbox}
              type="checkbox"
              name={name}
              value={option.value}
              defaultChecked={others.includes(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </details>
  )
}

const countUsedFilters = (fields: readonly FilterFieldProps[]): number =>
  fields.flatMap(({ value, others = [] }) => [value, ...others]).filter((value) => value !== '')
    .length

export const findOptionLabel = (
  { options = [] }: Pick<FilterFieldProps, 'options'>,
  value: string,
): string => options.find((option) => option.value === value)?.label ?? value
