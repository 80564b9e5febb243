import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { isControl, textIn } from './control.ts'

/**
 * The enquiry with what stands in its step's controls now, whoever put it there: the visitor, autofill or a password
 * manager, which may not say that they did.
 * @param form null where the thank-you screen stands in its place
 */
export function enquiryIn(form: HTMLFormElement | null, enquiry: Enquiry): Enquiry {
  const shown = (steps[enquiry.step]?.fields ?? []).flatMap((field) => {
    const control = form?.elements.namedItem(field)
    return isControl(control) ? [[field, textIn(control)]] : []
  })
  return { ...enquiry, answers: { ...enquiry.answers, ...Object.fromEntries(shown) } }
}
