import type { ReactNode } from 'react'
import type { AddressStanding } from '#domain/enquiry/address-standing.ts'
import type { Answers, FieldErrors } from '#domain/enquiry/answers.ts'
import type { EnquiryProps } from './enquiry-props.ts'

/** What a step's controls are shown with. */
export interface StepFieldsProps {
  readonly answers: Answers
  readonly errors: FieldErrors
  readonly standing: AddressStanding
  /** What is asked about the address. */
  readonly question: ReactNode
  readonly form: EnquiryProps
}
