import type { ReactNode } from 'react'
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

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p className={styles.error} id={id}>
      {error}
    </p>
  )
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
