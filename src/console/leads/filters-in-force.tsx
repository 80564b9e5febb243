import controls from '../shell/controls.module.css'
import type { FilterFieldProps, FilterFormProps } from './filter-props.ts'
import styles from './filters-in-force.module.css'

type Part = readonly [name: string, value: string]

/** Where the filter is folded away: what it has, each of it to be taken out by itself, and all of it. */
export function FiltersInForce({ action, fields, searchId }: FilterFormProps) {
  const parts = partsInForce(fields)
  if (parts.length === 0) return null
  const all = parts.map(({ field, value }): Part => [field.name, value])
  return (
    <ul className={styles.inForce} aria-label="Filters in force">
      {parts.map(({ field, value }, index) => (
        <li key={`${field.name} ${value}`}>
          <a className={styles.part} href={addressOf(action, all.toSpliced(index, 1), searchId)}>
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
