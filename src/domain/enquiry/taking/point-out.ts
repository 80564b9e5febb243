import { askForPlace } from '../address/place-by-hand.ts'
import type { FieldErrors } from '../answers.ts'
import type { Enquiry } from '../enquiry.ts'
import { type StepNumber, steps } from '../steps.ts'

export interface PointedOut {
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
}

/**
 * Leads to the first step that needs the visitor, with the errors of its fields alone: none stands on a field that is not
 * shown (reading 12). City and state are shown where the visitor enters them, so they are asked for from here on.
 */
export function pointOut(enquiry: Enquiry, errors: FieldErrors): PointedOut {
  const index = steps.findIndex(({ fields }) => fields.some((field) => errors[field]))
  const fields = steps[index]?.fields
  if (fields === undefined) return { enquiry, errors: {} }
  const there: Enquiry = { ...enquiry, step: index as StepNumber }
  return {
    enquiry: errors.city || errors.state ? askForPlace(there) : there,
    errors: Object.fromEntries(
      fields.flatMap((field) => (errors[field] ? [[field, errors[field]]] : [])),
    ),
  }
}
