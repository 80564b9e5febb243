import type { KeyboardEvent } from 'react'

/** Section 4: Enter goes on from steps 0, 1 and 2. The last step sends the enquiry, and is sent by its button alone. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target } = event
  if (key !== 'Enter') return
  if (target instanceof HTMLInputElement || isClosedSelect(target)) event.preventDefault()
}

/** In an open list Enter chooses. Browsers too old for `:open` do not send a form from a select. */
const isClosedSelect = (target: EventTarget): boolean =>
  target instanceof HTMLSelectElement && CSS.supports('selector(:open)') && !target.matches(':open')
