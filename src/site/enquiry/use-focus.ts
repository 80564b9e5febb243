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
    const find = (selector: string) => container.current?.querySelector<HTMLElement>(selector)
    if (shown.current !== step) find('#enquiry-heading')?.focus()
    else find('[data-summary]')?.focus()
    shown.current = step
    // A reply on the same step moves the focus too.
    void replies
  }, [container, step, replies])
}
