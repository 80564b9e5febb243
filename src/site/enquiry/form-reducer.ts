import { emptyEnquiry, type Field, hasErrors } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import type { FormAction, FormState, LiveForm } from './form-state.ts'

export const dispatch = (live: LiveForm, action: FormAction): void =>
  live.update((state) => formReducer(state, action))

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'edited': {
      const { [action.name as Field]: _, ...errors } = state.errors
      const question = questionedFields.has(action.name) ? undefined : state.question
      // If no error remains, the visitor has corrected the error that the toast reports, so the toast closes.
      const isCorrected = action.name in state.errors && !hasErrors(errors)
      return { ...state, errors, question, isToastOpen: state.isToastOpen && !isCorrected }
    }
    case 'went-to':
      // While a request runs, only its response may change the step.
      return state.isBusy
        ? state
        : { ...toIdleState(state), enquiry: action.enquiry, ...action.received }
    case 'request-started':
      return { ...toIdleState(state), question: state.question, isBusy: true }
    case 'responded':
      return {
        ...toIdleState(state),
        ...action.response,
        isToastOpen: action.response.notice !== undefined,
        replies: state.replies + 1,
      }
    case 'offline':
      return { ...toIdleState(state), enquiry: action.enquiry, isOffline: true }
    case 'sent': {
      const { type: _, ...sent } = action
      return { ...toIdleState(state), enquiry: { ...emptyEnquiry, step: thankYouStep }, ...sent }
    }
    case 'toast-closed':
      return { ...state, isToastOpen: false }
  }
}

const questionedFields: ReadonlySet<string> = new Set(['phone', 'email', 'address', 'zip', 'state'])

const toIdleState = (state: FormState): FormState => ({
  ...state,
  isBusy: false,
  isOffline: false,
  errors: {},
  notice: undefined,
  question: undefined,
  isToastOpen: false,
})
