import { type RefObject, useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'

/** Moves the focus to the new step's heading, and to what needs the visitor after a reply. */
export function useFocus(
  container: RefObject<HTMLElement | null>,
  step: StepNumber,
  replies: number,
): void {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) focus(container.current, '#enquiry-heading')
    else focusSummary(container.current)
    shown.current = step
    // A reply on the same step moves the focus too.
    void replies
  }, [container, step, replies])
}

/** To what needs the visitor: the summary of errors, or a question. */
export const focusSummary = (container: HTMLElement | null): void =>
  focus(container, '[data-summary]')

const focus = (container: HTMLElement | null, selector: string): void =>
  container?.querySelector<HTMLElement>(selector)?.focus()
