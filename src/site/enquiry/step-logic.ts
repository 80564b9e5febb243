import { AddressFields } from './address-fields.tsx'
import type { LiveForm } from './form-state.ts'
import { formatInput, ignoreEnter } from './format-input.ts'
import { ProblemSummary, Toast } from './notices.tsx'
import { ProgramFields } from './program-fields.tsx'
import { QuestionBox } from './question-box.tsx'
import { goTo, hideToast } from './state-changes.ts'
import { focusSummary, StepEffects } from './step-effects.tsx'
import { submitStep } from './submit-step.ts'
import { ReceivedNote, ThankYou } from './thank-you.tsx'
import { YourEducationFields } from './your-education-fields.tsx'

export function closeToast(live: LiveForm): void {
  // Removing the focused button would move the focus to the page's start.
  if (document.activeElement?.closest('[data-toast]')) focusSummary()
  live.update(hideToast)
}

/**
 * The controls of later steps, and the handling of answers. In the browser this is a separate script, which a visitor who
 * only looks at the page doesn't load: see `load-step-logic.ts`.
 */
export const stepLogic = {
  submitStep,
  goTo,
  closeToast,
  formatInput,
  ignoreEnter,
  fields: { address: AddressFields, 'your-education': YourEducationFields, program: ProgramFields },
  StepEffects,
  ProblemSummary,
  QuestionBox,
  Toast,
  ThankYou,
  ReceivedNote,
}

export type StepLogic = typeof stepLogic
