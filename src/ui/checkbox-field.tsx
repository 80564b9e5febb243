import type { ReactNode } from 'react'
import styles from './field.module.css'
import { FieldError, fieldIds, useNeed } from './field.tsx'

interface CheckboxFieldProps {
  name: string
  label: ReactNode
  error: string | undefined
  /** False where the step's rules take no answer for one, too. */
  required?: boolean
  isChecked: boolean
}

export function CheckboxField(props: CheckboxFieldProps) {
  const { name, label, error, isChecked, required = true } = props
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
          {...useNeed(required)}
          aria-invalid={Boolean(error)}
          aria-describedby={ids.describedBy}
        />
        <label htmlFor={ids.control}>{label}</label>
      </div>
      <FieldError id={ids.error} error={error} />
    </div>
  )
}
