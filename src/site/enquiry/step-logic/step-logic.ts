import { emailSuggestion, emailSuggestionWhileTyping } from '#domain/enquiry/contact.ts'
import { ContactQuestion } from '../about-you/contact-question.tsx'
import { EmailSuggestion } from '../about-you/email-suggestion.tsx'
import { AddressFields } from '../address/address-fields.tsx'
import { formatInput } from '../form/format-input.ts'
import { ignoreEnter } from '../form/ignore-enter.ts'
import { ProblemSummary } from '../notices/problem-summary.tsx'
import { Toast } from '../notices/toast.tsx'
import { ProgramFields } from '../program/program-fields.tsx'
import { ReceivedNote } from '../thank-you/received-note.tsx'
import { ThankYou } from '../thank-you/thank-you.tsx'
import { YourEducationFields } from '../your-education/your-education-fields.tsx'
import { closeToast } from './close-toast.ts'
import { dispatch } from './form-reducer.ts'
import { StepEffects } from './step-effects.ts'
import { submitStep } from './submit-step.ts'

/**
 * What a fresh page does not show, and what the form does with the answers. In the browser it is a script of its own, so
 * that who only looks at the page is spared it; the server has it from the start. See `load-step-logic.ts`.
 */
export const stepLogic = {
  submitStep,
  dispatch,
  closeToast,
  emailSuggestion,
  emailSuggestionWhileTyping,
  formatInput,
  ignoreEnter,
  /** What each further step shows: its question's controls. */
  fields: { address: AddressFields, 'your-education': YourEducationFields, program: ProgramFields },
  StepEffects,
  ProblemSummary,
  EmailSuggestion,
  ContactQuestion,
  Toast,
  ThankYou,
  ReceivedNote,
}

export type StepLogic = typeof stepLogic
