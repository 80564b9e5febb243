import type { AddressQuestion } from '#domain/enquiry/address-question.ts'
import type { AddressStanding } from '#domain/enquiry/address-standing.ts'
import type { Answers, FieldErrors } from '#domain/enquiry/answers.ts'
import type { EnquiryProps } from '../enquiry-props.ts'
import type { StepLogic } from '../step-logic/step-logic.ts'

/** What a step's controls are shown with. */
export interface StepFieldsProps {
  readonly answers: Answers
  readonly errors: FieldErrors
  readonly standing: AddressStanding
  /** What is asked about the address. */
  readonly question: AddressQuestion | undefined
  readonly form: EnquiryProps
  /** Absent where a fresh page is shown. */
  readonly logic?: StepLogic | undefined
}
