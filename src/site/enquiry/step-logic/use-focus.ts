import { useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import { afterPaint } from './after-paint.ts'

/**
 * Moves the focus to the new step's heading, or to what needs the visitor after a reply. The browser paints the reply first:
 * moving the focus makes it lay out the page once more.
 * @param first the step that the page has begun with
 */
export function useFocus(step: StepNumber, first: StepNumber, replies: number): void {
  const shown = useRef(first)
  useEffect(() => {
    const isSameStep = shown.current === step
    shown.current = step
    // A reply on the same step moves the focus too.
    void replies
    return afterPaint(isSameStep ? focusSummary : () => focus('#enquiry-heading'))
  }, [step, replies])
}

/** To what needs the visitor: the summary of errors, or a question. */
export const focusSummary = (): void => focus('[data-summary]')

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()
