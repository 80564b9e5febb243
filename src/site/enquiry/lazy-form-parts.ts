import { addressControls } from './address-fields.tsx'
import { dispatch, handleEdit } from './form-reducer.ts'
import { formatInput, preventEnterSubmit } from './format-input.ts'
import { ProblemSummary, Toast } from './notices.tsx'
import { programControls } from './program-fields.tsx'
import { ContactQuestion } from './question-box.tsx'
import { StepEffects } from './step-effects.tsx'
import { submitStep } from './submit-step.ts'
import { ReceivedNote, ThankYou } from './thank-you.tsx'
import { yourEducationControls } from './your-education-fields.tsx'

/** The parts of the form that a separate script adds later: later steps' controls, and code that handles answers. */
export const lazyFormParts = {
  submitStep,
  dispatch,
  handleEdit,
  formatInput,
  preventEnterSubmit,
  controls: { ...addressControls, ...yourEducationControls, ...programControls },
  StepEffects,
  ProblemSummary,
  ContactQuestion,
  Toast,
  ThankYou,
  ReceivedNote,
}

export type LazyFormParts = typeof lazyFormParts
