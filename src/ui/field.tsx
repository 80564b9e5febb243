import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react'
import fieldStyles from './field.module.css'
import styles from './toggle-tip.module.css'

interface ToggleTipProps {
  id: string
  /** The id of what it belongs to: read out after the button's own name. */
  about: string
  text: string
}

/**
 * A question mark that says why something is asked. The browser opens and closes it, so it works without JavaScript. An
 * open one takes the focus, and is read out with it; Escape gives the focus back.
 */
export function ToggleTip({ id, about, text }: ToggleTipProps) {
  return (
    <>
      <button
        className={styles.button}
        type="button"
        popoverTarget={id}
        aria-label="Why we ask"
        aria-describedby={about}
      >
        ?
      </button>
      <span
        className={styles.tip}
        id={id}
        popover="auto"
        role="tooltip"
        tabIndex={-1}
        // biome-ignore lint/a11y/noAutofocus: it is shown because it was asked for
        autoFocus
        ref={takeFocus}
      >
        {text}
      </span>
    </>
  )
}

/** React leaves the attribute out where it makes an element in the browser; the browser reads it as the popover opens. */
const takeFocus = (tip: HTMLElement | null) => tip?.setAttribute('autofocus', '')

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
    <div className={fieldStyles.field} data-invalid={error ? '' : undefined}>
      <div className={fieldStyles.heading} data-why={why}>
        <label className={fieldStyles.label} id={ids.label} htmlFor={ids.control}>
          {label}
        </label>
        {why && <ToggleTip id={`why-${name}`} about={ids.label} text={why} />}
      </div>
      {hint && (
        <p className={fieldStyles.hint} id={ids.hint}>
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
    <p className={fieldStyles.error} id={error && id} data-mended={error ? undefined : ''}>
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
        className={fieldStyles.input}
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
