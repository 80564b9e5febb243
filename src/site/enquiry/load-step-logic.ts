import { useCallback, useEffect, useState } from 'react'
import { answerLimitMs } from '#content/ui-constants.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'
import { whenIdle } from './draft.ts'
import type { StepLogic } from './step-logic.ts'

/** A script that did not load in time is requested again at the next call. */
export const loadStepLogic = (): Promise<StepLogic> =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the script did not come in time')), answerLimitMs)
    import('./step-logic.ts').then(({ stepLogic }) => resolve(stepLogic), reject)
  })

/** The signs that somebody uses the page: a visitor who only glances at it is spared the rest of the script. */
const signsOfLife = ['pointermove', 'pointerdown', 'keydown', 'scroll']

/** The step's logic, undefined until it has loaded, and a function that loads it at once. */
export function useStepLogic(known: StepLogic | undefined) {
  const [logic, setLogic] = useState(known)
  const load = useCallback(async (): Promise<StepLogic> => {
    const loaded = await loadStepLogic()
    setLogic(loaded)
    return loaded
  }, [])

  useEffect(() => {
    // A failure shows when the script is needed, and loaded again.
    const loadSoon = () => whenIdle(() => load().catch(() => undefined))
    for (const sign of signsOfLife) addEventListener(sign, loadSoon, { once: true, passive: true })
  }, [load])

  return { logic, load }
}

/**
 * The form's step as the rest of the page can follow and set it: listen on the document for `enquiry:step`,
 * dispatch `enquiry:go-to`; each carries `detail: { step }`, 0 to 4.
 */
const stepEvent = 'enquiry:step'
const goToEvent = 'enquiry:go-to'

export function broadcastStep(step: StepNumber): void {
  document.dispatchEvent(new CustomEvent(stepEvent, { detail: { step } }))
}

/** Returns what stops listening. A step that does not exist is ignored. */
export function onGoTo(goTo: (step: StepNumber) => void): () => void {
  const listener = (event: Event) => {
    const step: unknown = (event as CustomEvent<{ step?: unknown } | null>).detail?.step
    if (Number.isInteger(step) && Number(step) >= 0 && Number(step) <= thankYouStep) {
      goTo(step as StepNumber)
    }
  }
  document.addEventListener(goToEvent, listener)
  return () => document.removeEventListener(goToEvent, listener)
}
