import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, fieldIds, useNeed } from './field.tsx'

interface TextFieldProps
  extends Pick<
    ComponentProps<'input'>,
    | 'type'
    | 'autoComplete'
    | 'inputMode'
    | 'maxLength'
    | 'onInput'
    | 'onCompositionEnd'
    | 'autoCapitalize'
    | 'onKeyDown'
  > {
  name: string
  label: string
  hint?: string
  why?: string
  error: string | undefined
  /** False where the step's rules take no answer for one, too. */
  required?: boolean
  /** What it holds at first; afterwards the browser keeps the text, so that nothing typed before hydration is lost. */
  value: string
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, why, error, value, required = true, ...input } = props
  const ids = fieldIds(name, hint, error)
  return (
    <Field name={name} label={label} hint={hint} why={why} error={error}>
      <input
        {...input}
        className={styles.input}
        id={ids.control}
        name={name}
        defaultValue={value}
        {...useNeed(required)}
        aria-invalid={Boolean(error)}
        aria-describedby={ids.describedBy}
      />
    </Field>
  )
}
