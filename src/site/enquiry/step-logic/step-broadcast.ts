import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'

/**
 * The form's step as the rest of the page can follow and set it: listen on the document for `enquiry:step`,
 * dispatch `enquiry:go-to`; each carries `detail: { step }`, 0 to 4.
 */
export const stepEvent = 'enquiry:step'
export const goToEvent = 'enquiry:go-to'

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
