import { useCallback, useEffect, useState } from 'react'
import { requestTimeoutMs } from '#content/ui-constants.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { runWhenIdle } from './draft.ts'
import type { LazyFormParts } from './lazy-form-parts.ts'

/** Loads the form's lazily loaded parts. After a timeout, the next call requests their script again. */
export const loadLazyFormParts = (): Promise<LazyFormParts> =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the script timed out')), requestTimeoutMs)
    import('./lazy-form-parts.ts').then(({ lazyFormParts }) => resolve(lazyFormParts), reject)
  })

/** The events that show that a visitor uses the page. Before the first such event, the page loads no further script. */
const activityEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll']

const loadVitals = () => import('./measure-vitals.ts')

/** Returns the form's lazily loaded parts (undefined until loaded), and a function that loads them at once. */
export function useLazyFormParts(known: LazyFormParts | undefined) {
  const [lazyParts, setLazyParts] = useState(known)
  const load = useCallback(async (): Promise<LazyFormParts> => {
    const loaded = await loadLazyFormParts()
    setLazyParts(loaded)
    return loaded
  }, [])

  useEffect(() => {
    // A failure can be ignored here, because the form requests the script again when the form needs it.
    const loadSoon = () =>
      runWhenIdle(() =>
        load()
          .then(loadVitals)
          .catch(() => undefined),
      )
    for (const type of activityEvents)
      addEventListener(type, loadSoon, { once: true, passive: true })
  }, [load])

  return { lazyParts, load }
}

/** Tells other scripts the step by the event `enquiry:step`, whose `detail` is `{ step }` with a step from 0 to 4. */
export function broadcastStep(step: StepNumber): void {
  document.dispatchEvent(new CustomEvent('enquiry:step', { detail: { step } }))
}

/** Calls `goTo` when another script dispatches `enquiry:go-to` with a step. @returns a function that stops listening */
export function listenForStepRequests(goTo: (step: StepNumber) => void): () => void {
  const listener = (event: Event) => {
    const step: unknown = (event as CustomEvent<{ step?: unknown } | null>).detail?.step
    if (Number.isInteger(step) && Number(step) >= 0 && Number(step) <= thankYouStep) {
      goTo(step as StepNumber)
    }
  }
  document.addEventListener('enquiry:go-to', listener)
  return () => document.removeEventListener('enquiry:go-to', listener)
}
