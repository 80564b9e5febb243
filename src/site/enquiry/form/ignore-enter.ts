import type { KeyboardEvent } from 'react'
import { isOpenList } from '#ui/is-open-list.ts'

/** Enter goes on from every step but the last, which sends the enquiry and is sent by its button alone. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target } = event
  if (key !== 'Enter') return
  const isSelect = target instanceof HTMLSelectElement
  // In an open list Enter chooses.
  if (target instanceof HTMLInputElement || (isSelect && !isOpenList(target))) {
    event.preventDefault()
  }
}
