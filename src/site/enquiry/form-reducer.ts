import { makeAddressNotice, type Notice, offlineAddressNotice } from '#content/messages.ts'
import type { StepResult } from '#domain/enquiry/advance-step.ts'
import {
  type Enquiry,
  emptyEnquiry,
  type Field,
  type FieldErrors,
  hasErrors,
} from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import type { FormState, LiveForm, ReceivedEnquiry } from './form-state.ts'

export type FormEvent =
  | { readonly type: 'edited'; readonly name: string }
  | {
      readonly type: 'went-to'
      readonly enquiry: Enquiry
      /** The sent enquiry, if the visitor returns to the thank-you screen. */
      readonly received?: ReceivedEnquiry | undefined
    }
  | { readonly type: 'began' }
  | { readonly type: 'took-step'; readonly taken: StepResult }
  | {
      readonly type: 'failed-to-send'
      readonly enquiry: Enquiry
      readonly errors: FieldErrors
      readonly notice: Notice
    }
  /** The browser was offline when the form sent the enquiry. */
  | { readonly type: 'offline'; readonly enquiry: Enquiry }
  /** The browser was offline when the form checked the address. */
  | { readonly type: 'offline-at-address'; readonly enquiry: Enquiry }
  | {
      readonly type: 'sent'
      readonly leadId: string
      readonly subId: string | undefined
      readonly programId: string
    }
  | { readonly type: 'toast-closed' }

export const dispatch = (live: LiveForm, event: FormEvent): void =>
  live.update((state) => formReducer(state, event))

export function formReducer(state: FormState, event: FormEvent): FormState {
  switch (event.type) {
    case 'edited': {
      const { [event.name as Field]: _, ...errors } = state.errors
      const question = fieldsToClear.has(event.name) ? undefined : state.question
      // The toast reported an error of the edited field, which is now corrected.
      const isCorrected = event.name in state.errors && !hasErrors(errors)
      return { ...state, errors, question, isToastOpen: state.isToastOpen && !isCorrected }
    }
    case 'went-to':
      // While a request runs, only its reply may change the step.
      return state.isBusy
        ? state
        : { ...toIdleState(state), enquiry: event.enquiry, ...event.received }
    case 'began':
      return { ...toIdleState(state), isBusy: true }
    case 'took-step': {
      const { enquiry, errors, fault, question } = event.taken
      return applyServerReply(
        { ...state, enquiry, question },
        errors,
        fault && makeAddressNotice(fault),
      )
    }
    case 'failed-to-send':
      return applyServerReply({ ...state, enquiry: event.enquiry }, event.errors, event.notice)
    case 'offline-at-address':
      return applyServerReply({ ...state, enquiry: event.enquiry }, {}, offlineAddressNotice)
    case 'offline':
      return { ...toIdleState(state), enquiry: event.enquiry, isOffline: true }
    case 'sent': {
      const { type: _, ...sent } = event
      return { ...toIdleState(state), enquiry: { ...emptyEnquiry, step: thankYouStep }, ...sent }
    }
    case 'toast-closed':
      return { ...state, isToastOpen: false }
  }
}

const fieldsToClear: ReadonlySet<string> = new Set(['phone', 'email', 'address', 'zip', 'state'])

const toIdleState = (state: FormState): FormState => ({
  ...state,
  isBusy: false,
  isOffline: false,
  errors: {},
  notice: undefined,
  isToastOpen: false,
})

const applyServerReply = (
  state: FormState,
  errors: FieldErrors,
  notice: Notice | undefined,
): FormState => ({
  ...toIdleState(state),
  errors,
  notice,
  isToastOpen: notice !== undefined,
  replies: state.replies + 1,
})
