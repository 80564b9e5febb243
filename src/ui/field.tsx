import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react'
import styles from './field.module.css'

interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  /** The tip's text, which reserves its space before the tip loads. */
  why?: string | undefined
  /**
   * A question mark that explains why the form asks. The caller passes the tip in, so that a new form loads without the
   * tip's code.
   */
  tip?: ReactNode
  error: string | undefined
  children: ReactNode
}

export function Field({ name, label, hint, why, tip, error, children }: FieldProps) {
  const ids = makeFieldIds(name, hint, error)
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.heading} data-why={why}>
        <label className={styles.label} id={ids.label} htmlFor={ids.control}>
          {label}
        </label>
        {tip}
      </div>
      {hint && (
        <p className={styles.hint} id={ids.hint}>
          {hint}
        </p>
      )}
      {children}
      <FieldError id={ids.error} error={error} />
    </div>
  )
}

interface FieldErrorProps {
  id: string
  error: string | undefined
}

/** The number of responses to Next: each response releases the space of corrected errors. */
export const ReplyCountContext = createContext<number | undefined>(undefined)

export const FieldError = (props: FieldErrorProps) => (
  <ErrorPlaceholder key={useContext(ReplyCountContext)} {...props} />
)

/**
 * Keeps the error's space while the visitor corrects the field: the fields below would otherwise move under the pointer.
 */
function ErrorPlaceholder({ id, error }: FieldErrorProps) {
  const [shownError] = useState(error)
  if (!shownError) return null
  return (
    <p className={styles.error} id={error && id} data-mended={error ? undefined : ''}>
      {shownError}
    </p>
  )
}

/**
 * Returns the attribute that marks a control as required. If the page itself checks the form, only assistive technology
 * gets the mark: with `required`, Firefox would announce empty fields as invalid from the start.
 */
export function useRequiredMark(isNeeded: boolean) {
  const isBrowserChecking = useContext(ReplyCountContext) === undefined
  return isBrowserChecking ? { required: isNeeded } : { 'aria-required': isNeeded || undefined }
}

export function makeFieldIds(name: string, hint?: string, error?: string) {
  const control = `field-${name}`
  const ids = {
    control,
    label: `${control}-label`,
    hint: `${control}-hint`,
    error: `${control}-error`,
  }
  const describedBy = [hint && ids.hint, error && ids.error].filter(Boolean).join(' ')
  return { ...ids, describedBy: describedBy || undefined }
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'required' | 'value'> {
  name: string
  label: string
  hint?: string
  why?: string
  tip?: ReactNode
  error: string | undefined
  required?: boolean
  /** The initial value; afterwards the browser keeps the text, so that nothing typed before hydration is lost. */
  value: string
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, why, tip, error, value, required = true, ...input } = props
  const ids = makeFieldIds(name, hint, error)
  return (
    <Field name={name} label={label} hint={hint} why={why} tip={tip} error={error}>
      <input
        {...input}
        className={styles.input}
        id={ids.control}
        name={name}
        defaultValue={value}
        {...useRequiredMark(required)}
        aria-invalid={Boolean(error)}
        aria-describedby={ids.describedBy}
      />
    </Field>
  )
}
