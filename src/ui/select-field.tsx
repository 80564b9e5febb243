import { Children, type ReactNode } from 'react'
import { nothingToChoose } from '#content/messages.ts'
import styles from './field.module.css'
import { Field, fieldIds, useNeed } from './field.tsx'
import { typeAhead } from './type-ahead.ts'

interface SelectFieldProps {
  name: string
  label: string
  hint?: string
  error: string | undefined
  /** False where the step's rules take no answer for one, too. */
  required?: boolean
  value: string
  /** The first option: its value stands for nothing chosen. */
  placeholder: { value: string; text: string }
  children: ReactNode
}

export function SelectField(props: SelectFieldProps) {
  const { name, label, hint, error, value, required = true, placeholder, children } = props
  const ids = fieldIds(name, hint, error)
  const isEmpty = Children.toArray(children).length === 0
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      <select
        className={styles.input}
        id={ids.control}
        name={name}
        defaultValue={value}
        {...useNeed(required)}
        onKeyDown={typeAhead}
        aria-invalid={Boolean(error)}
        aria-describedby={ids.describedBy}
      >
        <option value={placeholder.value}>
          {isEmpty ? nothingToChoose(label) : placeholder.text}
        </option>
        {children}
      </select>
    </Field>
  )
}
