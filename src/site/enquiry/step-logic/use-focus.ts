import { useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'

/**
 * Moves the focus to the new step's heading, and to what needs the visitor after a reply.
 * @param first the step that the page has begun with
 */
export function useFocus(step: StepNumber, first: StepNumber, replies: number): void {
  const shown = useRef(first)
  useEffect(() => {
    if (shown.current === step) focusSummary()
    else focus('#enquiry-heading')
    shown.current = step
    // A reply on the same step moves the focus too.
    void replies
  }, [step, replies])
}

/** To what needs the visitor: the summary of errors, or a question. */
export const focusSummary = (): void => focus('[data-summary]')

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()
