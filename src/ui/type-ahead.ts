import type { KeyboardEvent } from 'react'
import { typeAheadResetMs } from '#content/ui-constants.ts'
import { isOpenList } from './is-open-list.ts'

let typed = ''
let typedAt = 0
let typedInto: HTMLSelectElement | undefined

/**
 * Jumps to the option that begins with what is typed; a pause of 250 ms begins anew. Browsers do the same
 * with pauses of their own, which cannot be set. Few people type a letter in 250 ms: one that begins no option goes on
 * with what was typed before, however late it comes.
 */
export function typeAhead(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select, timeStamp } = event
  if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
  const isContinued = select === typedInto && timeStamp - typedAt < typeAheadResetMs
  // A space opens the list, unless it stands in a name that is being typed.
  if (key === ' ' && !(isContinued && typed)) return
  event.preventDefault()
  const before = select === typedInto ? typed : ''
  const anew = isContinued ? undefined : optionBeginningWith(select, key.toLowerCase())
  typed = (anew ? '' : before) + key.toLowerCase()
  typedAt = timeStamp
  typedInto = select
  const option = anew ?? optionBeginningWith(select, typed)
  if (!option) return
  if (isOpenList(select)) {
    option.focus()
  } else {
    select.value = option.value
    select.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Looks from the present option on, so that the same letter again finds the next one. */
function optionBeginningWith(select: HTMLSelectElement, text: string) {
  const options = [...select.options].filter(({ value, disabled }) => value && !disabled)
  const present = [document.activeElement, ...select.selectedOptions].find(isOption)
  const from = present ? options.indexOf(present) : -1
  // While more letters come, the present option may still be the one that is meant.
  const start = from + (text.length === 1 ? 1 : 0)
  const inOrder = [...options.slice(Math.max(start, 0)), ...options.slice(0, Math.max(start, 0))]
  const sameLetter = /^(.)\1*$/.test(text) ? text.charAt(0) : text
  const names = (option: HTMLOptionElement) => option.text.toLowerCase()
  return (
    inOrder.find((option) => names(option).startsWith(text)) ??
    inOrder.find((option) => names(option).startsWith(sameLetter))
  )
}

const isOption = (element: Element | null): element is HTMLOptionElement =>
  element instanceof HTMLOptionElement
