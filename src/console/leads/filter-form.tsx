import { counted } from '#domain/text/counted.ts'
import controls from '../shell/controls.module.css'
import { FilterField } from './filter-field.tsx'
import styles from './filter-form.module.css'
import type { FilterFormProps } from './filter-props.ts'
import { FiltersInForce, partsInForce } from './filters-in-force.tsx'

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
