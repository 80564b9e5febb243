import type { MouseEvent } from 'react'
import { makeFieldIds } from '#ui/field.tsx'
import type { FormState } from './form-state.ts'

/** Focuses the summary or question, or else the wrong field or, after a failure, the button. */
export function focusProblem({ notice }: FormState): boolean {
  const [linked] = Object.keys(notice?.links ?? {})
  return (
    focusElement('[data-summary]') ||
    focusElement('form [aria-invalid=true]') ||
    (linked !== undefined && focusElement(`#${makeFieldIds(linked).control}`)) ||
    (notice !== undefined && focusElement('form [value=next]'))
  )
}

/** Focuses the element and shows it, even if it has the focus already. @returns whether the page has the element */
export function focusElement(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
  return element !== null
}

/** Moves the focus to the field, because a link alone only scrolls there in some browsers. */
export function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}
