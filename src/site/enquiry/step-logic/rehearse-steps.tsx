import { createRoot } from 'react-dom/client'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { formFacts } from '#domain/enquiry/rules.ts'
import { type Step, type StepNumber, steps } from '#domain/enquiry/steps.ts'
import { takeStep } from '#domain/enquiry/take-step.ts'
import { addressServices } from '../address/address-services.ts'
import type { EnquiryProps } from '../enquiry-props.ts'
import { EnquiryForm } from '../form/enquiry-form.tsx'
import { type FormState, initialState } from '../form-state.ts'
import { newEnquiryKey } from '../sending/enquiry-key.ts'
import { whenIdle } from '../when-idle.ts'
import { formReducer } from './form-reducer.ts'
import type { StepLogic } from './step-logic.ts'

/**
 * Runs what pressing Next runs, once and outside the page, while the browser is idle: checks every step without answers,
 * then renders the first step's errors and the second step. The browser has compiled the rules, their patterns and React's
 * way of creating and removing elements before the visitor presses Next. An empty step calls no service.
 */
export function rehearseSteps(form: EnquiryProps, logic: StepLogic): void {
  const { programs, currentYear } = form
  const facts = formFacts(programs, currentYear, newEnquiry.answers)
  const ports = { facts, services: addressServices() }
  const [first] = steps.map((_, step) =>
    takeStep({ ...newEnquiry, step: step as StepNumber }, ports),
  )
  newEnquiryKey()
  whenIdle(async () => {
    const taken = await first
    const [aboutYou, address] = steps
    if (!taken || !aboutYou || !address) return
    const root = createRoot(document.createElement('div'))
    const render = (step: Step, state: FormState) =>
      root.render(<EnquiryForm step={step} state={state} form={form} logic={logic} />)
    const fresh = initialState({})
    render(aboutYou, formReducer(fresh, { type: 'took-step', taken }))
    whenIdle(() => {
      render(address, { ...fresh, enquiry: { ...newEnquiry, step: 1 } })
      whenIdle(() => root.unmount())
    })
  })
}
