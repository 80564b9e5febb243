import { type Enquiry, type Field, shownFields } from '#domain/enquiry/enquiry.ts'
import { answerIn } from './control.ts'

/**
 * The enquiry with what stands in its step's controls now, whoever put it there: the visitor, autofill or a password
 * manager, which may not say that they did.
 * @param form null where the thank-you screen stands in its place
 * @throws where a field that the step shows has no control that can be read
 */
export function enquiryIn(form: HTMLFormElement | null, enquiry: Enquiry): Enquiry {
  if (!form) return enquiry
  const shown = shownFields(enquiry).map((field) => [field, answerIn(form, field)])
  const answers: Record<Field, string> = { ...enquiry.answers, ...Object.fromEntries(shown) }
  return { ...enquiry, answers }
}
