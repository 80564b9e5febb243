import { useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import type { StepQuestion } from '#domain/enquiry/take-step.ts'

/** So long a second click counts as one of a double click in browsers and systems, in milliseconds; a second tap is as soon. */
const doublePressMs = 500

interface Shown {
  readonly step: StepNumber
  readonly question: StepQuestion | undefined
}

/**
 * A double click or tap on Next is one press: its second half falls on the Next of the step, or of the question, that the
 * first has brought, and would greet the visitor with errors, or pass the question by. A single click is
 * never too soon, nor is a key: the focus has left Next by then.
 * @param first what the page has begun with: whoever let the browser fill the step in may have brought this by their press
 */
export function useSinglePress({ step, question }: Shown, first: Shown): void {
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef(first)

  useEffect(() => {
    const { current } = before
    if (step !== current.step || question !== current.question) shownAt.current = performance.now()
    before.current = { step, question }
  }, [step, question])

  useEffect(() => {
    let isTouch = false
    const onDown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === 'touch'
    }
    const onClick = (event: MouseEvent) => {
      // Some browsers do not count taps.
      const isSecond = event.detail > 1 || (event.detail === 1 && isTouch)
      const isNext = event.target instanceof Element && event.target.closest('form [value=next]')
      if (isNext && isSecond && event.timeStamp - shownAt.current < doublePressMs) {
        event.preventDefault()
      }
    }
    // A press after typing is deliberate.
    const onInput = () => {
      shownAt.current = Number.NEGATIVE_INFINITY
    }
    addEventListener('input', onInput, { capture: true, passive: true })
    addEventListener('pointerdown', onDown, { capture: true, passive: true })
    addEventListener('click', onClick, { capture: true })
    return () => {
      removeEventListener('input', onInput, { capture: true })
      removeEventListener('pointerdown', onDown, { capture: true })
      removeEventListener('click', onClick, { capture: true })
    }
  }, [])
}
