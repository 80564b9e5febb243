import { counted } from '#domain/text/counted.ts'
import controls from '../shell/controls.module.css'
import type { FilterFieldProps } from './filter-field-props.ts'
import styles from './filter-form.module.css'
import { FiltersInForce, partsInForce } from './filters-in-force.tsx'
import { OrOthers } from './or-others.tsx'

export interface FilterFormProps {
  /** The list’s own address. */
  action: string
  fields: readonly FilterFieldProps[]
  /** Opaque; goes on. */
  searchId?: string | undefined
  isFiltered: boolean
}

export function FilterForm(props: FilterFormProps) {
  const { action, fields, searchId, isFiltered } = props
  const used = partsInForce(fields).length
  // On a phone it opens above the list. What is wrong in it is never hidden.
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
        {fields.map((field) => (
          <FilterField key={field.name} {...field} />
        ))}
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
        <p className={styles.hint}>Days are UTC’s, the last one included.</p>
      </div>
    </form>
  )
  return (
    <>
      {isFolded && (
        <p className={styles.open}>
          <button className={controls.button} type="button" popoverTarget="filter">
            {used === 0 ? 'Filter' : `Filter: ${counted(used, 'part')}`}
          </button>
        </p>
      )}
      {isFolded && <FiltersInForce {...props} />}
      {form}
    </>
  )
}

function FilterField(field: FilterFieldProps) {
  const { name, label, value, options, known = [], type, example, only, problem } = field
  const problemId = `${name}-problem`
  const meaning = known.find((one) => one.value === value)?.label
  const described = [
    ...(problem === undefined ? [] : [problemId]),
    ...(meaning === undefined ? [] : [`${name}-meaning`]),
  ]
  const named = {
    className: controls.input,
    id: name,
    name,
    defaultValue: value,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
  }
  return (
    <div className={styles.field}>
      <label className={controls.label} htmlFor={name}>
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
        <p id={problemId} className={styles.problem}>
          {problem}
        </p>
      )}
      {meaning !== undefined && (
        <p id={`${name}-meaning`} className={styles.hint}>
          {meaning}
        </p>
      )}
      {field.others !== undefined && <OrOthers {...field} others={field.others} />}
    </div>
  )
}
