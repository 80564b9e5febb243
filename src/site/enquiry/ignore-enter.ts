import type { KeyboardEvent } from 'react'

/** Section 4: Enter goes on from steps 0, 1 and 2. The last step sends the enquiry, and is sent by its button alone. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target } = event
  const hasEnterOfItsOwn =
    target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement
  if (key === 'Enter' && !hasEnterOfItsOwn) event.preventDefault()
}
