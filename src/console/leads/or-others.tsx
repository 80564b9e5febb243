import drawn from '#ui/field.module.css'
import controls from '../shell/controls.module.css'
import styles from './filter-form.module.css'
import type { FilterFieldProps } from './filter-props.ts'

type OrOthersProps = FilterFieldProps & { others: readonly string[] }

/**
 * A part may have several values: the field has the first, and these are the others. Checkboxes, or one more line to type
 * in: both do without a script.
 */
export function OrOthers(field: OrOthersProps) {
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

const Boxes = ({ name, others, options = [] }: OrOthersProps) =>
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

const Lines = ({ name, others }: OrOthersProps) =>
  [...others, ''].map((value) => (
    <label key={value}>
      or
      <input className={controls.input} name={name} defaultValue={value} autoComplete="off" />
    </label>
  ))
