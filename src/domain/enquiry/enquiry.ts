import { type AddressStanding, uncheckedAddress } from './address-standing.ts'
import { type Answers, noAnswers } from './answers.ts'
import type { StepNumber } from './steps.ts'

/** A visitor's way through the form so far. */
export interface Enquiry {
  readonly step: StepNumber
  readonly answers: Answers
  readonly standing: AddressStanding
  /** The Idempotency-Key: a UUID made once per enquiry; empty until it is first needed. */
  readonly key: string
}

export const newEnquiry: Enquiry = {
  step: 0,
  answers: noAnswers,
  standing: uncheckedAddress,
  key: '',
}
