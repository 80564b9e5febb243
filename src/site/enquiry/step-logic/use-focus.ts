import { useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import { afterPaint } from './after-paint.ts'

/**
 * Moves the focus after a reply to what needs the visitor, on an earlier step too, else to the new step's heading. The
 * browser paints the reply first: moving the focus makes it lay out the page once more.
 * @param first the step that the page has begun with
 */
export function useFocus(step: StepNumber, first: StepNumber, replies: number): void {
  const shown = useRef({ step: first, replies })
  useEffect(() => {
    const { current } = shown
    const needsVisitor =
      current.replies !== replies && document.querySelector('[data-summary]') !== null
    const isSummary = current.step === step || needsVisitor
    shown.current = { step, replies }
    const move = isSummary ? focusSummary : () => focus('#enquiry-heading')
    return afterPaint(unlessElsewhere(move))
  }, [step, replies])
}

/** To what needs the visitor: the summary of errors, or a question. */
export const focusSummary = (): void => focus('[data-summary]')

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()

/** Leaves the focus where the visitor has put it meanwhile: a screen reader moves it without a key or a press. */
export function unlessElsewhere(move: () => void): () => void {
  const from = document.activeElement
  return () => {
    const at = document.activeElement
    if (at === from || at === document.body) move()
  }
}
