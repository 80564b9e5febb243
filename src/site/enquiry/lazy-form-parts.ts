import { suggestEmail, suggestEmailWhileTyping } from '#domain/enquiry/contact.ts'
import { AddressFields } from './address-fields.tsx'
import { dispatch, handleEdit } from './form-reducer.ts'
import type { LazyFormParts } from './form-state.ts'
import { formatInput, preventEnterSubmit } from './format-input.ts'
import { ProblemSummary, Toast } from './notices.tsx'
import { ProgramFields } from './program-fields.tsx'
import { ContactQuestion, EmailSuggestion } from './question-box.tsx'
import { StepEffects } from './step-effects.tsx'
import { submitStep } from './submit-step.ts'
import { ReceivedNote, ThankYou } from './thank-you.tsx'
import { YourEducationFields } from './your-education-fields.tsx'

export const lazyFormParts: LazyFormParts = {
  submitStep,
  dispatch,
  handleEdit,
  suggestEmail,
  suggestEmailWhileTyping,
  formatInput,
  preventEnterSubmit,
  fields: { address: AddressFields, 'your-education': YourEducationFields, program: ProgramFields },
  StepEffects,
  ProblemSummary,
  EmailSuggestion,
  ContactQuestion,
  Toast,
  ThankYou,
  ReceivedNote,
}
