import type { InputEvent } from 'react'
import { formatPhone, formatPhoneAtCaret } from '#domain/enquiry/phone.ts'

/** Rewrites the phone field as it is typed in, and leaves the caret where the visitor had it. */
export function formatPhoneInput(event: InputEvent<HTMLInputElement>): void {
  const { currentTarget: input, nativeEvent } = event
  const caret = input.selectionStart ?? input.value.length
  const formatted = formatPhoneAtCaret(input.value, caret, nativeEvent.inputType)
  if (formatted.text === input.value) return
  input.value = formatted.text
  input.setSelectionRange(formatted.caret, formatted.caret)
}

/** Formats the phone number that came otherwise: before the script, or by autofill, which may not say so. */
export function formatPhoneOf(form: HTMLFormElement): void {
  const input = form.elements.namedItem('phone')
  if (input instanceof HTMLInputElement && input.type === 'tel') {
    input.value = formatPhone(input.value)
  }
}
