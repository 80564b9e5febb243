import { type AddressCheckState, uncheckedAddress } from './address/address-check-state.ts'
import { type Answers, noAnswers } from './answers.ts'
import type { StepNumber } from './steps.ts'

/** A visitor's way through the form so far. */
export interface Enquiry {
  readonly step: StepNumber
  readonly answers: Answers
  readonly addressCheck: AddressCheckState
  /** The Idempotency-Key: a UUID made once per enquiry; empty until it is first needed. */
  readonly key: string
  /** The phone and email that were asked about; empty before. */
  readonly askedAbout: string
  /** When the server first saw an answer, in epoch milliseconds; where the form is posted and it is known. */
  readonly startedAt?: number | undefined
  /** What stands in the posted form's field that people do not see. */
  readonly honeypot?: string | undefined
}

export const newEnquiry: Enquiry = {
  step: 0,
  answers: noAnswers,
  addressCheck: uncheckedAddress,
  key: '',
  askedAbout: '',
}
