import { suggestEmail, suggestEmailWhileTyping } from '#domain/enquiry/contact.ts'
import { AddressFields } from './address-fields.tsx'
import { dispatch } from './form-reducer.ts'
import type { LiveForm } from './form-state.ts'
import { formatInput, preventEnterSubmit } from './format-input.ts'
import { ProblemSummary, Toast } from './notices.tsx'
import { ProgramFields } from './program-fields.tsx'
import { ContactQuestion, EmailSuggestion } from './question-box.tsx'
import { focusSummary, StepEffects } from './step-effects.tsx'
import { submitStep } from './submit-step.ts'
import { ReceivedNote, ThankYou } from './thank-you.tsx'
import { YourEducationFields } from './your-education-fields.tsx'

export function closeToast(live: LiveForm): void {
  // Moves the focus to the summary, because removing the toast's focused button would move it to the page's start.
  if (document.activeElement?.closest('[data-toast]')) focusSummary()
  dispatch(live, { type: 'toast-closed' })
}

/**
 * The controls of later steps, and the handling of answers. In the browser, the step logic is a separate script, which a
 * visitor who only looks at the page doesn't load: see `load-step-logic.ts`.
 */
export const stepLogic = {
  submitStep,
  dispatch,
  closeToast,
  emailSuggestion: suggestEmail,
  suggestEmailWhileTyping,
  formatInput,
  ignoreEnter: preventEnterSubmit,
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
