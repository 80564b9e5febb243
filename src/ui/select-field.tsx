import { Children, type KeyboardEvent, type ReactNode } from 'react'
import { nothingToChoose } from '#content/messages.ts'
import { typeAheadResetMs } from '#content/ui-constants.ts'
import styles from './field.module.css'
import { Field, FieldError, fieldIds, useNeed } from './field.tsx'

/** Returns whether a select shows its list in the page. Older browsers without `:open` show the system's list. */
export const isOpenList = (select: HTMLSelectElement): boolean =>
  CSS.supports('selector(:open)') && select.matches(':open')

let typed = ''
let typedAt = 0
let typedInto: HTMLSelectElement | undefined

/**
 * Jumps to the option that begins with the typed text; after a pause of 250 ms typing starts over. Browsers have their
 * own pauses, which cannot be set. Few people type a letter in 250 ms: a letter that begins no option continues the
 * earlier text, however late it comes.
 */
export function typeAhead(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select, timeStamp } = event
  if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
  const isContinued = select === typedInto && timeStamp - typedAt < typeAheadResetMs
  // Space opens the list, except while the visitor types a name.
  if (key === ' ' && !(isContinued && typed)) return
  event.preventDefault()
  const before = select === typedInto ? typed : ''
  const freshMatch = isContinued ? undefined : optionBeginningWith(select, key.toLowerCase())
  typed = (freshMatch ? '' : before) + key.toLowerCase()
  typedAt = timeStamp
  typedInto = select
  const option = freshMatch ?? optionBeginningWith(select, typed)
  if (!option) return
  if (isOpenList(select)) {
    option.focus()
  } else {
    select.value = option.value
    select.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Searches from the current option on, so that repeating a letter finds the next option. */
function optionBeginningWith(select: HTMLSelectElement, text: string) {
  const options = [...select.options].filter(({ value, disabled }) => value && !disabled)
  const currentOption = [document.activeElement, ...select.selectedOptions].find(isOption)
  const from = currentOption ? options.indexOf(currentOption) : -1
  // If the text has several letters, the current option may still match.
  const start = from + (text.length === 1 ? 1 : 0)
  const inOrder = [...options.slice(Math.max(start, 0)), ...options.slice(0, Math.max(start, 0))]
  const sameLetter = /^(.)\1*$/.test(text) ? text.charAt(0) : text
  const textOf = (option: HTMLOptionElement) => option.text.toLowerCase()
  return (
    inOrder.find((option) => textOf(option).startsWith(text)) ??
    inOrder.find((option) => textOf(option).startsWith(sameLetter))
  )
}

const isOption = (element: Element | null): element is HTMLOptionElement =>
  element instanceof HTMLOptionElement

interface SelectFieldProps {
  name: string
  label: string
  hint?: string
  error: string | undefined
  /** Whether the field needs an answer. */
  required?: boolean
  value: string
  /** The first option, which means that nothing is chosen. */
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

interface CheckboxFieldProps {
  name: string
  label: ReactNode
  error: string | undefined
  /** Whether the box has to be checked. */
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
