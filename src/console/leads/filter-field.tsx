import { fieldIds } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import styles from './filter-form.module.css'
import type { FilterFieldProps } from './filter-props.ts'
import { OrOthers } from './or-others.tsx'

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
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
  }
  return (
    <div className={styles.field}>
      <label className={controls.label} htmlFor={ids.control}>
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
      {field.others !== undefined && <OrOthers {...field} others={field.others} />}
    </div>
  )
}
