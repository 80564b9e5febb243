import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import { type StepNumber, steps } from '#domain/enquiry/steps.ts'
import { takeStep } from '#domain/enquiry/taking/take-step.ts'
import { addressServices } from '../address/address-services.ts'
import type { EnquiryProps } from '../enquiry-props.ts'

/**
 * Checks every step once without answers and drops the result, so that the browser has compiled the rules and their
 * patterns before the visitor presses Next. An empty step asks no service.
 */
export function rehearseSteps({ programs, currentYear }: EnquiryProps): void {
  const facts = formFacts(programs, currentYear, newEnquiry.answers)
  const ports = { facts, services: addressServices() }
  steps.forEach((_, step) => void takeStep({ ...newEnquiry, step: step as StepNumber }, ports))
}
