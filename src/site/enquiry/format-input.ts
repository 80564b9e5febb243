import type { KeyboardEvent, SyntheticEvent } from 'react'
import { digitsOf, formatPhone, formatZip } from '#domain/enquiry/phone.ts'
import { isOpenList } from '#ui/select-field.tsx'

const formats = { phone: formatPhone, zip: formatZip, graduatingYear: digitsOf }

type NumberField = keyof typeof formats

/**
 * Formats a number while the visitor types at its end, and when the visitor leaves the field: a change in the middle would
 * move the caret. An input method may finish composing first.
 */
export function formatInput({
  currentTarget: input,
  nativeEvent,
  type,
}: SyntheticEvent<HTMLInputElement>): void {
  const isAtEnd = input.selectionStart === input.value.length
  if ((nativeEvent as Partial<InputEvent>).isComposing || !(isAtEnd || type === 'blur')) return
  const formatted = formats[input.name as NumberField](input.value)
  if (formatted !== input.value) input.value = formatted
}

/** Formats the numbers typed before the script loaded, and autofilled numbers, because autofill may send no event. */
export function tidyNumbers(form: HTMLFormElement): void {
  for (const [name, format] of Object.entries(formats)) {
    const input = form.elements.namedItem(name)
    // On other steps the control is a hidden input.
    if (input instanceof HTMLInputElement && input.type !== 'hidden') {
      input.value = format(input.value)
    }
  }
}

/** Enter continues on every step except the last: only a press of the last button sends the enquiry. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target } = event
  if (key !== 'Enter') return
  const isSelect = target instanceof HTMLSelectElement
  // In an open list, Enter selects an option.
  if (target instanceof HTMLInputElement || (isSelect && !isOpenList(target))) {
    event.preventDefault()
  }
}
