import type { Notice } from '#content/messages.ts'
import { type Enquiry, newEnquiry } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import type { StepTaken } from '#domain/enquiry/take-step.ts'
import type { FormState, Received } from './form-state.ts'

export type StateChange = (state: FormState) => FormState

/** @param received the sent enquiry, if the visitor returns to the thank-you screen */
export const goTo =
  (enquiry: Enquiry, received?: Received): StateChange =>
  (state) =>
    // A running request decides the next step.
    state.isBusy ? state : { ...idleState(state), question: undefined, enquiry, ...received }

export const startRequest: StateChange = (state) => ({ ...idleState(state), isBusy: true })

interface Response extends Pick<StepTaken, 'enquiry' | 'errors' | 'question'> {
  readonly notice?: Notice | undefined
}

/** Shows the response to Next: the next step, or what the visitor has to correct on the same step. */
export const showResponse =
  ({ enquiry, errors, question, notice }: Response): StateChange =>
  (state) => ({
    ...idleState(state),
    enquiry,
    errors,
    question,
    notice,
    isToastOpen: notice !== undefined,
    replies: state.replies + 1,
  })

export const thank =
  (received: Received): StateChange =>
  (state) => ({
    ...idleState(state),
    enquiry: { ...newEnquiry, step: thankYouStep },
    ...received,
  })

export const hideToast: StateChange = (state) => ({ ...state, isToastOpen: false })

const idleState = (state: FormState): FormState => ({
  ...state,
  isBusy: false,
  isOffline: false,
  errors: {},
  notice: undefined,
  isToastOpen: false,
})
