import { useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'

interface StepEntry {
  readonly enquiryStep: StepNumber
  /** True where the entry before this one is a step of the same form. */
  readonly isPushed?: boolean
}

/**
 * Makes each step an entry of the browser's history, so that its Back and Forward move between steps (ruling 15).
 * @param goTo is called when the browser moved; it answers with the step really gone to
 * @returns what the form's own Back button does
 */
export function useStepHistory(
  step: StepNumber,
  goTo: (step: StepNumber) => StepNumber,
): () => void {
  const isFirst = useRef(true)
  const latestGoTo = useRef(goTo)
  latestGoTo.current = goTo
  const shown = useRef(step)
  shown.current = step

  useEffect(() => {
    const entry = currentEntry()
    if (isFirst.current) replaceEntry({ ...entry, enquiryStep: step })
    else if (entry?.enquiryStep !== step) {
      history.pushState({ enquiryStep: step, isPushed: true } satisfies StepEntry, '')
    }
    isFirst.current = false
  }, [step])

  useEffect(() => {
    const onPop = () => {
      const entry = currentEntry()
      // A link within the page made this entry: the visitor is still on the same step.
      if (entry === null) return replaceEntry({ enquiryStep: shown.current })
      replaceEntry({ ...entry, enquiryStep: latestGoTo.current(entry.enquiryStep) })
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [])

  return () => {
    const entry = currentEntry()
    if (entry?.isPushed) history.back()
    else replaceEntry({ enquiryStep: latestGoTo.current((step - 1) as StepNumber) })
  }
}

const currentEntry = (): StepEntry | null => history.state

const replaceEntry = (entry: StepEntry): void => history.replaceState(entry, '')
