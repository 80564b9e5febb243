import { useCallback, useEffect, useState } from 'react'
import { requestTimeoutMs } from '#content/ui-constants.ts'
import type { StepNumber } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import { whenIdle } from './draft.ts'
import type { StepLogic } from './step-logic.ts'

/** Loads the step's logic. After a timeout, the next call requests the script again. */
export const loadStepLogic = (): Promise<StepLogic> =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the script did not load in time')), requestTimeoutMs)
    import('./step-logic.ts').then(({ stepLogic }) => resolve(stepLogic), reject)
  })

/** Events that show that a visitor uses the page. Visitors who only glance at it don't load the rest of the script. */
const activityEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll']

const loadVitals = () => import('./measure-vitals.ts')

/** Returns the step's logic, undefined until it has loaded, and a function that loads it at once. */
export function useStepLogic(known: StepLogic | undefined) {
  const [logic, setLogic] = useState(known)
  const load = useCallback(async (): Promise<StepLogic> => {
    const loaded = await loadStepLogic()
    setLogic(loaded)
    return loaded
  }, [])

  useEffect(() => {
    // Ignores a failure: when the form needs the script, the form loads it again and reports a failure then.
    const loadSoon = () =>
      whenIdle(() =>
        load()
          .then(loadVitals)
          .catch(() => undefined),
      )
    for (const type of activityEvents)
      addEventListener(type, loadSoon, { once: true, passive: true })
  }, [load])

  return { logic, load }
}

/**
 * Other scripts can follow the form's step through the document's event `enquiry:step`, and set the step by dispatching
 * `enquiry:go-to`. Both events carry `detail: { step }`, 0 to 4.
 */
const stepEvent = 'enquiry:step'
const goToEvent = 'enquiry:go-to'

export function broadcastStep(step: StepNumber): void {
  document.dispatchEvent(new CustomEvent(stepEvent, { detail: { step } }))
}

/**
 * Calls `goTo` for each `enquiry:go-to` event with an existing step.
 *
 * @returns a function that stops listening
 */
export function onStepRequest(goTo: (step: StepNumber) => void): () => void {
  const listener = (event: Event) => {
    const step: unknown = (event as CustomEvent<{ step?: unknown } | null>).detail?.step
    if (Number.isInteger(step) && Number(step) >= 0 && Number(step) <= thankYouStep) {
      goTo(step as StepNumber)
    }
  }
  document.addEventListener(goToEvent, listener)
  return () => document.removeEventListener(goToEvent, listener)
}
