import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react'
import styles from './field.module.css'

interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  /** The text of the tip, which reserves the tip's room. */
  why?: string | undefined
  /** A question mark that explains why the form asks. Passed in, so that a fresh form loads without it. */
  tip?: ReactNode
  error: string | undefined
  children: ReactNode
}

/** A control with its label above, and its hint and error where it has them. */
export function Field({ name, label, hint, why, tip, error, children }: FieldProps) {
  const ids = fieldIds(name, hint, error)
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

/** How often the form has been answered: with each reply what has been mended gives its room back. */
export const ReplyCount = createContext<number | undefined>(undefined)

export const FieldError = (props: FieldErrorProps) => (
  <RoomForError key={useContext(ReplyCount)} {...props} />
)

/**
 * Keeps the error's space while the visitor corrects the field: the fields below would otherwise
 * move under the pointer.
 */
function RoomForError({ id, error }: FieldErrorProps) {
  const [said] = useState(error)
  if (!said) return null
  return (
    <p className={styles.error} id={error && id} data-mended={error ? undefined : ''}>
      {said}
    </p>
  )
}

/**
 * How a control says that it needs an answer. Where the page answers the form, and not the browser before it posts, to
 * assistive technology alone: to that Firefox calls wrong from the start what the browser itself would not take.
 */
export function useNeed(isNeeded: boolean) {
  const isForBrowser = useContext(ReplyCount) === undefined
  return isForBrowser ? { required: isNeeded } : { 'aria-required': isNeeded || undefined }
}

/** The ids that link a control to its messages. */
export function fieldIds(name: string, hint?: string, error?: string) {
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
  tip?: ReactNode
  error: string | undefined
  /** False where the step's rules take no answer for one, too. */
  required?: boolean
  /**
   * The initial value; afterwards the browser keeps the text, so that nothing typed before
   * hydration is lost.
   */
  value: string
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, why, tip, error, value, required = true, ...input } = props
  const ids = fieldIds(name, hint, error)
  return (
    <Field name={name} label={label} hint={hint} why={why} tip={tip} error={error}>
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
