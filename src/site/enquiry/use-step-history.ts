import { useCallback, useEffect, useRef } from 'react'
import type { StepNumber } from '#domain/enquiry/steps.ts'

interface StepEntry {
  readonly enquiryStep: StepNumber
  /** True where the entry before this one is a step of the same form. */
  readonly isPushed?: boolean
}

interface StepMoves {
  /** The step nearest to the wanted one that may be shown. */
  readonly reach: (wanted: StepNumber) => Promise<StepNumber>
  readonly show: (step: StepNumber) => void
}

/**
 * Makes each step an entry of the browser's history, so that its Back and Forward move between steps (ruling 15).
 * @returns what the form's own Back button does
 */
export function useStepHistory(step: StepNumber, moves: StepMoves): () => void {
  const isFirst = useRef(true)
  const latest = useRef({ step, ...moves })
  latest.current = { step, ...moves }

  const goTo = useCallback(async (wanted: StepNumber, entry?: StepEntry) => {
    const { reach, show } = latest.current
    const reached = await reach(wanted)
    replaceEntry({ ...entry, enquiryStep: reached })
    show(reached)
  }, [])

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
      if (entry === null) replaceEntry({ enquiryStep: latest.current.step })
      else goTo(entry.enquiryStep, entry)
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [goTo])

  return () => {
    const entry = currentEntry()
    if (entry?.isPushed) history.back()
    else goTo((step - 1) as StepNumber)
  }
}

const currentEntry = (): StepEntry | null => history.state

const replaceEntry = (entry: StepEntry): void => history.replaceState(entry, '')
