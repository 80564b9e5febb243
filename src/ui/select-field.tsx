import { Children, type KeyboardEvent, type ReactNode } from 'react'
import { makeEmptyOptionLabel } from '#content/messages.ts'
import { spaceInNameMs, typeAheadResetMs } from '#content/ui-constants.ts'
import styles from './field.module.css'
import { Field, FieldError, type FieldProps, splitFieldProps } from './field.tsx'

/** Returns whether a select's list is open; false in browsers without `:open`, which show the system's list. */
export const isListOpen = (select: HTMLSelectElement): boolean =>
  CSS.supports('selector(:open)') && select.matches(':open')

let typed = ''
let letterAt = Number.NEGATIVE_INFINITY

/**
 * Jumps to the option whose name, or a later word of whose name, begins with the typed text. After a pause of 250 ms, a
 * new text begins (section 9). If no name begins with the new letter, this letter continues the old text: few people
 * type a second letter within 250 ms. The Space key selects from an open list, and opens a closed list, but not while
 * the visitor types a name: a name's Space comes within 1.5 s of a letter, and so does the next word.
 */
function handleTypeAhead(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select, timeStamp } = event
  if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) {
    // A capital letter's Shift key belongs to the text; Tab, Enter and the arrow keys end the text.
    if (key !== 'Shift') letterAt = Number.NEGATIVE_INFINITY
    return
  }
  const pause = timeStamp - letterAt
  if (key === ' ' && pause >= spaceInNameMs) return
  event.preventDefault()
  const isContinued = pause < (typed.includes(' ') ? spaceInNameMs : typeAheadResetMs)
  if (key !== ' ') letterAt = timeStamp
  const letter = key.toLowerCase()
  const longer = typed + letter
  type Try = readonly [text: string, isAnyWord: boolean]
  const continued: Try[] = [
    [longer, false],
    [longer, true],
  ]
  const begun: Try = [letter, false]
  const tries = isContinued ? [...continued, begun] : [begun, ...continued]
  // A letter that doesn't fit may be the next letter of a word that no name has, so it finds no other word.
  if (pause >= spaceInNameMs) tries.push([letter, true])
  for (const [text, isAnyWord] of tries) {
    const option = findOption(select, text, isAnyWord)
    if (!option) continue
    typed = text
    if (isListOpen(select)) {
      option.focus()
    } else {
      select.value = option.value
      select.dispatchEvent(new Event('input', { bubbles: true }))
    }
    return
  }
}

/** Searches from the current option on, so that typing the same letter again finds the next option. */
function findOption(select: HTMLSelectElement, text: string, isAnyWord: boolean) {
  const options = [...select.options].filter(({ value }) => value)
  const current = options.indexOf(
    (isListOpen(select) ? document.activeElement : select.selectedOptions[0]) as HTMLOptionElement,
  )
  // If the text has several letters, the current option may still match.
  const start = Math.max(text.length === 1 ? current + 1 : current, 0)
  return [...options.slice(start), ...options].find((option) => {
    const at = ` ${option.text.toLowerCase()}`
      .replace('(', ' ')
      .replace('–', '-')
      .indexOf(` ${text}`)
    return isAnyWord ? at > 0 : at === 0
  })
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

export function SelectField({ value, placeholder, children, ...props }: SelectFieldProps) {
  const { field, control } = splitFieldProps(props)
  const isEmpty = Children.toArray(children).length === 0
  return (
    <Field {...field}>
      <select {...control} defaultValue={value} onKeyDown={handleTypeAhead}>
        <option value={placeholder.value}>
          {isEmpty ? makeEmptyOptionLabel(props.label) : placeholder.text}
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

export function CheckboxField({ name, label, error, required, isChecked }: CheckboxFieldProps) {
  const { control } = splitFieldProps({ name, label: '', error, required })
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <div className={styles.choice}>
        <input
          {...control}
          className={styles.checkbox}
          type="checkbox"
          defaultChecked={isChecked}
        />
        <label htmlFor={control.id}>{label}</label>
      </div>
      <FieldError name={name} error={error} />
    </div>
  )
}
