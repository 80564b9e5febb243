import { useEffect, useRef } from 'react'
import type { StepQuestion } from '#domain/enquiry/advance-step.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'

/** The time within which browsers and systems count a second click as a double click, in milliseconds. */
const doublePressMs = 500

interface Shown {
  readonly step: StepNumber
  readonly question: StepQuestion | undefined
}

/**
 * Counts a double click or tap on Next as one press: the second click would hit the next step's button and show errors,
 * or skip a question. A single click or a key always counts.
 *
 * @param first the state that the page was loaded with
 */
export function useSinglePress({ step, question }: Shown, first: Shown): void {
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  const previous = useRef(first)

  useEffect(() => {
    const { current } = previous
    if (step !== current.step || question !== current.question) shownAt.current = performance.now()
    previous.current = { step, question }
  }, [step, question])

  useEffect(() => {
    let isTouch = false
    const onDown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === 'touch'
    }
    const onClick = (event: MouseEvent) => {
      // Some browsers do not count taps in `event.detail`.
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
