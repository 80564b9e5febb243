import { type Field, hasErrors } from '#domain/enquiry/answers.ts'
import { emptyEnquiry, steps, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { findStepErrors, makeRuleContext, normalizeAnswers } from '#domain/enquiry/rules.ts'
import type { FormAction, FormState, LiveForm } from './form-state.ts'

export const dispatch = (live: LiveForm, action: FormAction): void =>
  live.update((state) => formReducer(state, action))

/** Changes the state only if the visitor has corrected an error or edited an answer that a question is about. */
export function handleEdit(live: LiveForm, name: string): void {
  const { errors, question } = live.state()
  if (name in errors ? isCorrected(live, name as Field) : question) {
    dispatch(live, { type: 'edited', name })
  }
}

/** Returns whether the step's rules accept the field's new answer. The server may have refused the old answer. */
function isCorrected(live: LiveForm, field: Field): boolean {
  const { programs, currentYear } = live.props
  const { enquiry } = live.state()
  const answers = normalizeAnswers(live.enquiry().answers)
  const step = steps[enquiry.step]
  const context = makeRuleContext(programs, currentYear, answers)
  const isChanged = answers[field] !== normalizeAnswers(enquiry.answers)[field]
  return isChanged && step !== undefined && !findStepErrors(step, answers, context)[field]
}

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'edited': {
      const { [action.name as Field]: message, ...errors } = state.errors
      const question = questionedFields.has(action.name) ? undefined : state.question
      if (message === undefined) return { ...state, question }
      const corrected = { ...state.corrected, [action.name]: message }
      // If no error remains, the visitor has corrected the error that the toast reports, so the toast closes.
      const isToastOpen = state.isToastOpen && hasErrors(errors)
      return { ...state, errors, question, corrected, isToastOpen }
    }
    case 'left-field': {
      if (!hasErrors(state.corrected)) return state
      const notice = hasErrors(state.errors) ? state.notice : undefined
      return { ...state, corrected: {}, notice }
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

const questionedFields: ReadonlySet<string> = new Set([
  'phone',
  'email',
  'address',
  'zip',
  'educationLevel',
])

const toIdleState = (state: FormState): FormState => ({
  ...state,
  isBusy: false,
  isOffline: false,
  errors: {},
  corrected: {},
  notice: undefined,
  question: undefined,
  isToastOpen: false,
})
