import { Children, type KeyboardEvent, type ReactNode } from 'react'
import { makeEmptyOptionLabel } from '#content/messages.ts'
import { typeAheadResetMs } from '#content/ui-constants.ts'
import styles from './field.module.css'
import { Field, FieldError, type FieldProps, makeFieldIds, useRequiredProps } from './field.tsx'

/** Returns whether a select's list is open; false in browsers without `:open`, which show the system's list. */
export const isListOpen = (select: HTMLSelectElement): boolean =>
  CSS.supports('selector(:open)') && select.matches(':open')

let typed = ''
let typedAt = 0

/**
 * Jumps to the option that begins with the typed text. After a pause of 250 ms, a new text begins (section 9). If no
 * option begins with the new letter, this letter continues the old text: few people type a second letter within 250 ms.
 */
function handleTypeAhead(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select, timeStamp } = event
  if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
  const isContinued = timeStamp - typedAt < typeAheadResetMs
  // The Space key opens the list, except while the visitor types a name.
  if (key === ' ' && !isContinued) return
  event.preventDefault()
  typedAt = timeStamp
  const letter = key.toLowerCase()
  const longer = typed + letter
  const found = (isContinued ? [longer, letter] : [letter, longer])
    .map((text) => ({ text, option: findOptionByPrefix(select, text) }))
    .find(({ option }) => option)
  if (!found?.option) return
  typed = found.text
  if (isListOpen(select)) {
    found.option.focus()
  } else {
    select.value = found.option.value
    select.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Searches from the current option on, so that typing the same letter again finds the next option. */
function findOptionByPrefix(select: HTMLSelectElement, text: string) {
  const options = [...select.options].filter(({ value }) => value)
  const current = options.indexOf(
    (isListOpen(select) ? document.activeElement : select.selectedOptions[0]) as HTMLOptionElement,
  )
  // If the text has several letters, the current option may still match.
  const start = Math.max(text.length === 1 ? current + 1 : current, 0)
  return [...options.slice(start), ...options].find((option) =>
    option.text.toLowerCase().startsWith(text),
  )
}

interface SelectOptionsProps {
  options: readonly { readonly id: string | number; readonly name: string }[]
}

export const SelectOptions = ({ options }: SelectOptionsProps) =>
  options.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))

interface SelectFieldProps extends Omit<FieldProps, 'tipText' | 'tip'> {
  required?: boolean
  value: string
  placeholder: { value: string; text: string }
}

export function SelectField(props: SelectFieldProps) {
  const { name, label, hint, error, value, required = true, placeholder, children } = props
  const ids = makeFieldIds(name, hint, error)
  const isEmpty = Children.toArray(children).length === 0
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      <select
        className={styles.input}
        id={ids.control}
        name={name}
        defaultValue={value}
        {...useRequiredProps(required)}
        onKeyDown={handleTypeAhead}
        aria-invalid={Boolean(error)}
        aria-describedby={ids.describedBy}
      >
        <option value={placeholder.value}>
          {isEmpty ? makeEmptyOptionLabel(label) : placeholder.text}
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
  required?: boolean
  isChecked: boolean
}

export function CheckboxField(props: CheckboxFieldProps) {
  const { name, label, error, isChecked, required = true } = props
  const ids = makeFieldIds(name, undefined, error)
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.choice}>
        <input
          className={styles.checkbox}
          type="checkbox"
          id={ids.control}
          name={name}
          defaultChecked={isChecked}
          {...useRequiredProps(required)}
          aria-invalid={Boolean(error)}
          aria-describedby={ids.describedBy}
        />
        <label htmlFor={ids.control}>{label}</label>
      </div>
      <FieldError name={name} error={error} />
    </div>
  )
}
