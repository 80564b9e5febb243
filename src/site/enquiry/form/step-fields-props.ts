import type { emailSuggestion, emailSuggestionWhileTyping } from '#domain/enquiry/contact.ts'
import type { AddressCheckState, Answers, FieldErrors } from '#domain/enquiry/enquiry.ts'
import type { StepQuestion } from '#domain/enquiry/take-step.ts'
import type { ContactQuestion } from '../about-you/contact-question.tsx'
import type { EmailSuggestion } from '../about-you/email-suggestion.tsx'
import type { EnquiryProps } from '../enquiry-props.ts'
import type { formatInput } from './format-input.ts'

/** What of the step's logic, which comes with a script of its own, the controls use. */
interface FieldLogic {
  readonly formatInput: typeof formatInput
  readonly emailSuggestion: typeof emailSuggestion
  readonly emailSuggestionWhileTyping: typeof emailSuggestionWhileTyping
  readonly EmailSuggestion: typeof EmailSuggestion
  readonly ContactQuestion: typeof ContactQuestion
}

/** What a step's controls are shown with. */
export interface StepFieldsProps {
  readonly answers: Answers
  readonly errors: FieldErrors
  readonly addressCheck: AddressCheckState
  /** What is asked before the step is left. */
  readonly question: StepQuestion | undefined
  readonly form: EnquiryProps
  /** Absent where a fresh page is shown. */
  readonly logic?: FieldLogic | undefined
}
