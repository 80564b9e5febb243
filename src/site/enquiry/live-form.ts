import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import type { FormState } from './form-state.ts'

/** The form in the browser, as the step's logic works on it. */
export interface LiveForm {
  readonly props: EnquiryProps
  /** Null where the thank-you screen stands in its place. */
  readonly element: () => HTMLFormElement | null
  /** As it was last rendered. */
  readonly state: () => FormState
  /** With what stands in the controls now. */
  readonly enquiry: () => Enquiry
  readonly update: (change: (state: FormState) => FormState) => void
}
