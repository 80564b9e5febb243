import { thankYouTexts } from '#content/messages.ts'
import { hasErrors } from '#domain/enquiry/answers.ts'
import { formatStepLabel, steps } from '#domain/enquiry/enquiry.ts'
import type { FormState } from './form-state.ts'

/** Returns the document's title for the form's current step. Screen readers read the title first, so it begins with the question. */
export function makeStepTitle(title: string, { enquiry, errors, notice }: FormState): string {
  const { step } = enquiry
  const current = steps[step]
  if (current === undefined) return `${thankYouTexts.heading} | ${title}`
  const stepTitle = step === 0 ? title : `${current.question} ${formatStepLabel(step)} | ${title}`
  return hasErrors(errors) || notice ? `Error: ${stepTitle}` : stepTitle
}
