import type { InputEvent } from 'react'
import { formatPhoneAtCaret } from '#domain/enquiry/phone.ts'

/** Rewrites the phone field as it is typed in, and leaves the caret where the visitor had it. */
export function formatPhoneInput({ currentTarget: input }: InputEvent<HTMLInputElement>): void {
  const formatted = formatPhoneAtCaret(input.value, input.selectionStart ?? input.value.length)
  if (formatted.text === input.value) return
  input.value = formatted.text
  input.setSelectionRange(formatted.caret, formatted.caret)
}
