import { createRoot } from 'react-dom/client'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import { type StepNumber, steps } from '#domain/enquiry/steps.ts'
import { takeStep } from '#domain/enquiry/taking/take-step.ts'
import { addressServices } from '../address/address-services.ts'
import type { EnquiryProps } from '../enquiry-props.ts'
import { EnquiryForm } from '../form/enquiry-form.tsx'
import { initialState } from '../form-state.ts'
import { whenIdle } from '../when-idle.ts'
import { formReducer } from './form-reducer.ts'
import type { StepLogic } from './step-logic.ts'

/**
 * Checks every step once without answers, and renders the first one's errors outside the page, so that the browser has
 * compiled the rules, their patterns and React's way of creating elements before the visitor presses Next. An empty step
 * asks no service.
 */
export function rehearseSteps(form: EnquiryProps, logic: StepLogic): void {
  const { programs, currentYear } = form
  const facts = formFacts(programs, currentYear, newEnquiry.answers)
  const ports = { facts, services: addressServices() }
  const [first] = steps.map((_, step) =>
    takeStep({ ...newEnquiry, step: step as StepNumber }, ports),
  )
  whenIdle(async () => {
    const [step, taken] = [steps[0], await first]
    if (!step || !taken) return
    const state = formReducer(initialState({}), { type: 'took-step', taken })
    const root = createRoot(document.createElement('div'))
    root.render(<EnquiryForm step={step} state={state} form={form} logic={logic} />)
    whenIdle(() => root.unmount())
  })
}
