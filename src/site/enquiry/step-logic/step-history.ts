import { useEffect } from 'react'
import { firstUnanswered } from '#domain/enquiry/first-unanswered.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import type { LiveForm } from '../live-form.ts'
import { dispatch } from './form-reducer.ts'

interface StepEntry {
  readonly enquiryStep: StepNumber
  /** True where the entry before this one is a step of the same form. */
  readonly isPushed?: boolean
}

const currentEntry = (): StepEntry | null => history.state

const replaceEntry = (entry: StepEntry): void => history.replaceState(entry, '')

/**
 * Makes each step an entry of the browser's history, so that its Back and Forward move between steps (ruling 15).
 * @param first the step that the page has begun with
 */
export function useStepHistory(live: LiveForm, step: StepNumber, first: StepNumber): void {
  useEffect(() => {
    replaceEntry({ ...currentEntry(), enquiryStep: first })
    const onPop = () => {
      const entry = currentEntry()
      // A link within the page made this entry: the visitor is still on the same step.
      if (entry === null) replaceEntry({ enquiryStep: live.state().enquiry.step })
      else goNear(live, entry)
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [live, first])

  useEffect(() => {
    if (currentEntry()?.enquiryStep !== step) {
      history.pushState({ enquiryStep: step, isPushed: true } satisfies StepEntry, '')
    }
  }, [step])
}

/** What the form's own Back button does. */
export function goBack(live: LiveForm): void {
  const { step } = live.state().enquiry
  if (currentEntry()?.isPushed) history.back()
  else goNear(live, { enquiryStep: (step - 1) as StepNumber })
}

/** Goes to the entry's step, or to the one nearest to it that the answers so far lead to. */
function goNear(live: LiveForm, entry: StepEntry): void {
  const { programs, currentYear } = live.props
  const enquiry = live.enquiry()
  const { answers } = enquiry
  const reachable = firstUnanswered(answers, formFacts(programs, currentYear, answers))
  const step = Math.min(entry.enquiryStep, reachable) as StepNumber
  replaceEntry({ ...entry, enquiryStep: step })
  dispatch(live, { type: 'went-to', enquiry: { ...enquiry, step } })
}
