import type { Notice } from '#content/messages.ts'
import { type Enquiry, type FieldErrors, newEnquiry } from '#domain/enquiry/enquiry.ts'
import type { StepQuestion } from '#domain/enquiry/take-step.ts'
import type { EnquiryProps } from './enquiry-props.ts'

export interface FormState {
  /**
   * As it stood when the visitor last went on or back. What has been typed since stands in the form's controls alone, so
   * that no key renders anything: see `enquiryIn`.
   */
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly question?: StepQuestion | undefined
  /** False where the notice's toast was closed or has gone; its twin in the page stays. */
  readonly isToastOpen: boolean
  readonly isBusy: boolean
  /** True where what is needed did not come, for want of a line. */
  readonly isOffline: boolean
  /** How often Next has been answered: the focus moves when this does. */
  readonly replies: number
  readonly leadId?: string | undefined
  readonly programId?: string | undefined
  /** The affiliate id that was sent with the lead. */
  readonly subId?: string | undefined
}

export const initialState = ({
  posted,
  wantedProgram,
}: Pick<EnquiryProps, 'posted' | 'wantedProgram'>): FormState => ({
  enquiry: wantedProgram ? asking(newEnquiry, wantedProgram) : newEnquiry,
  errors: {},
  isToastOpen: false,
  isBusy: false,
  isOffline: false,
  replies: 0,
  ...posted,
})

/** The enquiry with another program chosen. */
export const asking = (enquiry: Enquiry, programId: number): Enquiry => ({
  ...enquiry,
  answers: { ...enquiry.answers, desiredProgram: String(programId) },
})
