import type { KeyboardEvent, SyntheticEvent } from 'react'
import {
  type CaretKeepingFormatter,
  extractDigits,
  formatDigitsKeepingCaret,
  formatPhoneKeepingCaret,
  formatZipKeepingCaret,
} from '#domain/enquiry/phone.ts'
import { normalizeAnswer } from '#domain/enquiry/rules.ts'
import { isListOpen } from '#ui/select-field.tsx'

const formats = {
  phone: formatPhoneKeepingCaret,
  zip: formatZipKeepingCaret,
  graduatingYear: formatDigitsKeepingCaret,
} satisfies Record<string, CaretKeepingFormatter>

type NumberField = keyof typeof formats

const typing = 'insertText'

/**
 * Formats a number while the visitor types and keeps the caret in place, except while an input method composes. Surplus
 * digits are not taken if typed one by one; inserted together, as by a paste or suggestion, they stay (reading 33).
 */
export function formatInput({
  currentTarget: input,
  nativeEvent,
}: SyntheticEvent<HTMLInputElement>): void {
  // The event at the end of a composition has no type.
  const { isComposing, data, inputType = typing } = nativeEvent as Partial<InputEvent>
  if (isComposing) return
  const caret = input.selectionStart ?? input.value.length
  const type = inputType === typing && data?.length !== 1 ? '' : inputType
  const formatted = formats[input.name as NumberField](input.value, caret, type)
  if (formatted.text === input.value) return
  input.value = formatted.text
  input.setSelectionRange(formatted.caret, formatted.caret)
}

/** Formats numbers typed before the script loaded, and autofilled numbers, because autofill may send no event. */
export function formatNumberFields(form: HTMLFormElement): void {
  for (const name of Object.keys(formats) as NumberField[]) {
    const input = form.elements.namedItem(name)
    // On other steps, the field's control is a hidden input.
    if (!(input instanceof HTMLInputElement) || input.type === 'hidden') continue
    const normalized = normalizeAnswer(name, input.value)
    const { text } = formats[name](normalized, normalized.length, '')
    // Extra digits stay for the visitor to correct, because a shortened number would be another number.
    const isWhole = extractDigits(text) === extractDigits(normalized)
    input.value = isWhole ? text : normalized
  }
}

/** Puts a text into a field and dispatches an input event, as if the visitor had typed the text. */
export function fillField(id: string, text: string): HTMLInputElement | undefined {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement)) return undefined
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return field
}

/**
 * Keeps Enter from submitting the last step: only a press of the last button sends the enquiry. A disabled first button
 * would not do: from a check box or a list, Chromium presses the next one.
 */
export function preventEnterSubmit(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target } = event
  if (key !== 'Enter') return
  const isSelect = target instanceof HTMLSelectElement
  // In an open list, Enter selects an option.
  if (target instanceof HTMLInputElement || (isSelect && !isListOpen(target))) {
    event.preventDefault()
  }
}
