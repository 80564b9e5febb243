import { useLayoutEffect, useRef } from 'react'
import { type StepNumber, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { findFirstUnansweredStep, makeRuleContext } from '#domain/enquiry/rules.ts'
import { dispatch } from './form-reducer.ts'
import { type FormHistoryEntry, type LiveForm, readHistoryEntry } from './form-state.ts'

const replaceEntry = (entry: FormHistoryEntry): void => history.replaceState(entry, '')

/** Adds each step to the browser's history before the paint, so that Back works at once (reading 15). */
export function useStepHistory(live: LiveForm, step: StepNumber, first: StepNumber): void {
  /** The index of the form's entry. After Back or Forward, the browser may be at another entry until `onPop` runs. */
  const currentIndex = useRef(0)

  useLayoutEffect(() => {
    const entry = readHistoryEntry()
    currentIndex.current = entry?.index ?? 0
    const received = first === thankYouStep ? entry?.received : undefined
    replaceEntry({ ...entry, index: currentIndex.current, enquiryStep: first, received })
    const onPop = () => {
      const entry = readHistoryEntry()
      if (entry === null) {
        // A link within the page made this entry, so the visitor is still on the same step.
        currentIndex.current += 1
        return replaceEntry(makeEntry(live, currentIndex.current))
      }
      const index = entry.index ?? currentIndex.current - 1
      if (index === currentIndex.current) return pushStep(live, currentIndex)
      if (live.state().isBusy) return history.go(currentIndex.current - index)
      currentIndex.current = index
      goToNearestStep(live, { ...entry, index })
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [live, first])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step needs its own history entry
  useLayoutEffect(() => pushStep(live, currentIndex), [live, step])
}

/** Adds a history entry for the form's new step, once the browser has returned to the form's entry. */
function pushStep(live: LiveForm, currentIndex: { current: number }): void {
  const entry = readHistoryEntry()
  const { step } = live.state().enquiry
  if (entry?.index !== currentIndex.current || entry.enquiryStep === step) return
  currentIndex.current += 1
  const pushed: FormHistoryEntry = { ...makeEntry(live, currentIndex.current), isPushed: true }
  history.pushState(pushed, '')
}

function makeEntry(live: LiveForm, index: number): FormHistoryEntry {
  const { enquiry, leadId, programId, subId } = live.state()
  const { step } = enquiry
  const isThankYou = step === thankYouStep && leadId !== undefined
  return {
    enquiryStep: step,
    index,
    ...(isThankYou ? { received: { leadId, programId, subId } } : {}),
  }
}

export function goBack(live: LiveForm): void {
  const { step } = live.state().enquiry
  if (readHistoryEntry()?.isPushed) history.back()
  else goToNearestStep(live, { ...readHistoryEntry(), enquiryStep: (step - 1) as StepNumber })
}

/** Goes to the step of a history entry, or to the nearest step that the answers allow. */
function goToNearestStep(live: LiveForm, entry: FormHistoryEntry): void {
  const { programs, currentYear } = live.props
  const enquiry = live.enquiry()
  const { answers } = enquiry
  const { received } = entry
  const reachable = received
    ? thankYouStep
    : findFirstUnansweredStep(answers, makeRuleContext(programs, currentYear, answers))
  const step = Math.min(entry.enquiryStep, reachable) as StepNumber
  replaceEntry({ ...entry, enquiryStep: step })
  dispatch(live, { type: 'went-to', enquiry: { ...enquiry, step }, received })
}
