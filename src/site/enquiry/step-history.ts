import { useLayoutEffect, useRef } from 'react'
import { firstUnanswered, formFacts } from '#domain/enquiry/rules.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'
import { dispatch } from './form-reducer.ts'
import { currentEntry, type LiveForm, type StepEntry } from './form-state.ts'

const replaceEntry = (entry: StepEntry): void => history.replaceState(entry, '')

/**
 * Makes each step an entry of the browser's history, so that Back and Forward move between steps (reading 15). A busy form
 * stays on its entry. Written before the paint: otherwise a quick Back went back two steps.
 * @param first the step that the page has begun with
 */
export function useStepHistory(live: LiveForm, step: StepNumber, first: StepNumber): void {
  /** The entry that the form stands on; for a moment another one is the browser's. */
  const here = useRef(0)

  useLayoutEffect(() => {
    const entry = currentEntry()
    here.current = entry?.index ?? 0
    const received = first === thankYouStep ? entry?.received : undefined
    replaceEntry({ ...entry, index: here.current, enquiryStep: first, received })
    const onPop = () => {
      const entry = currentEntry()
      if (entry === null) {
        // A link within the page made this entry: the visitor is still on the same step.
        here.current += 1
        return replaceEntry(entryOf(live, here.current))
      }
      const index = entry.index ?? here.current - 1
      if (index === here.current) return followStep(live, here)
      if (live.state().isBusy) return history.go(here.current - index)
      here.current = index
      goNear(live, { ...entry, index })
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [live, first])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has its entry
  useLayoutEffect(() => followStep(live, here), [live, step])
}

/** Pushes the step that the form has come to; where the browser is still on its way back to the form's entry, later. */
function followStep(live: LiveForm, here: { current: number }): void {
  const entry = currentEntry()
  const { step } = live.state().enquiry
  if (entry?.index !== here.current || entry.enquiryStep === step) return
  here.current += 1
  history.pushState({ ...entryOf(live, here.current), isPushed: true } satisfies StepEntry, '')
}

function entryOf(live: LiveForm, index: number): StepEntry {
  const { enquiry, leadId, programId, subId } = live.state()
  const { step } = enquiry
  const isThanked = step === thankYouStep && leadId !== undefined
  return {
    enquiryStep: step,
    index,
    ...(isThanked ? { received: { leadId, programId, subId } } : {}),
  }
}

/** Handles the form's own Back button. */
export function goBack(live: LiveForm): void {
  const { step } = live.state().enquiry
  if (currentEntry()?.isPushed) history.back()
  else goNear(live, { ...currentEntry(), enquiryStep: (step - 1) as StepNumber })
}

/** Goes to the entry's step, or to the one nearest to it that the answers so far lead to; to thanks as they were. */
function goNear(live: LiveForm, entry: StepEntry): void {
  const { programs, currentYear } = live.props
  const enquiry = live.enquiry()
  const { answers } = enquiry
  const { received } = entry
  const reachable = received
    ? thankYouStep
    : firstUnanswered(answers, formFacts(programs, currentYear, answers))
  const step = Math.min(entry.enquiryStep, reachable) as StepNumber
  replaceEntry({ ...entry, enquiryStep: step })
  dispatch(live, { type: 'went-to', enquiry: { ...enquiry, step }, received })
}
