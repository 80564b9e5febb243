import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import styles from './field.module.css'

export interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  /** The text of the tip. The field reserves the space that this text takes when the tip is open. */
  tipText?: string | undefined
  /** A button that explains why the form asks, passed in so that a new form loads without the button's code. */
  tip?: ReactNode
  error: string | undefined
  children: ReactNode
}

export function Field({ name, label, hint, tipText, tip, error, children }: FieldProps) {
  const ids = makeFieldIds(name, hint, error)
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.heading} data-tip={tipText}>
        <label className={styles.label} id={ids.label} htmlFor={ids.control}>
          {label}
        </label>
        {tip}
        {/* An error is in the label's row, where it moves nothing. */}
        <FieldError name={name} error={error} />
        {hint && (
          <p className={styles.hint} id={ids.hint}>
            {hint}
          </p>
        )}
      </div>
      {children}
    </div>
  )
}

/** By field, the corrected errors that still take up space, so that nothing moves before the focus leaves the field. */
export const CorrectedErrorsContext = createContext<
  Readonly<Partial<Record<string, string>>> | undefined
>(undefined)

export function FieldError({ name, error }: { name: string; error: string | undefined }) {
  const corrected = useContext(CorrectedErrorsContext)
  const shownError = error ?? corrected?.[name]
  if (!shownError) return null
  return (
    <p
      className={styles.error}
      id={error && makeFieldIds(name).error}
      data-corrected={error ? undefined : ''}
    >
      {shownError}
    </p>
  )
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

interface ControlProps extends Omit<FieldProps, 'children'> {
  required?: boolean | undefined
}

/** Splits the props of a field into those of {@link Field} and those of its control, which the field names and describes. */
export function splitFieldProps<Props extends ControlProps>(props: Props) {
  const { name, label, hint, tipText, tip, error, required = true, ...rest } = props
  const ids = makeFieldIds(name, hint, error)
  return {
    field: { name, label, hint, tipText, tip, error },
    control: {
      ...rest,
      className: styles.input,
      id: ids.control,
      name,
      required,
      'aria-invalid': Boolean(error),
      'aria-describedby': ids.describedBy,
    },
  }
}

interface TextFieldProps
  extends Omit<ComponentProps<'input'>, 'value' | keyof FieldProps>,
    ControlProps {
  /** The initial value. After the first render, the browser keeps the text that the visitor types. */
  value: string
}

export function TextField({ value, ...props }: TextFieldProps) {
  const { field, control } = splitFieldProps(props)
  return (
    <Field {...field}>
      <input {...control} defaultValue={value} />
    </Field>
  )
}
