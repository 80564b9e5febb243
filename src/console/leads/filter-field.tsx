import controls from '../shell/controls.module.css'
import styles from './filter-form.module.css'
import type { FilterFieldProps } from './filter-props.ts'
import { OrOthers } from './or-others.tsx'

export function FilterField(field: FilterFieldProps) {
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
