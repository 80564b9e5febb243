import type { ReactNode } from 'react'
import styles from './field.module.css'
import { FieldError, fieldIds } from './field.tsx'

interface CheckboxFieldProps {
  name: string
  label: ReactNode
  error: string | undefined
  isChecked: boolean
}

export function CheckboxField({ name, label, error, isChecked }: CheckboxFieldProps) {
  const ids = fieldIds(name, undefined, error)
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.choice}>
        <input
          className={styles.checkbox}
          type="checkbox"
          id={ids.control}
          name={name}
          defaultChecked={isChecked}
          required
          aria-invalid={Boolean(error)}
          aria-describedby={ids.describedBy}
        />
        <label htmlFor={ids.control}>{label}</label>
      </div>
      <FieldError id={ids.error} error={error} />
    </div>
  )
}
