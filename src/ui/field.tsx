import { createContext, type ReactNode, useContext, useState } from 'react'
import styles from './field.module.css'
import { ToggleTip } from './toggle-tip.tsx'

interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  /** Why it is asked: said behind a question mark. */
  why?: string | undefined
  error: string | undefined
  children: ReactNode
}

/** A control with its label above, and its hint and error where it has them. */
export function Field({ name, label, hint, why, error, children }: FieldProps) {
  const ids = fieldIds(name, hint, error)
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.heading} data-why={why}>
        <label className={styles.label} id={ids.label} htmlFor={ids.control}>
          {label}
        </label>
        {why && <ToggleTip id={`why-${name}`} about={ids.label} text={why} />}
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

/** Keeps the error's room while the field is being mended: what stands below would move under the pointer. */
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

/** The ids that tie a control to what is said about it. */
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
