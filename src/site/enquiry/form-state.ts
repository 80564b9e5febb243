import type { ReactNode } from 'react'
import { addressNotice, type Notice } from '#content/messages.ts'
import { type Answers, type Field, type FieldErrors, fields } from '#domain/enquiry/answers.ts'
import { type Enquiry, newEnquiry } from '#domain/enquiry/enquiry.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'
import type { StepTaken } from '#domain/enquiry/take-step.ts'
import type { PostedEnquiry } from './enquiry-props.ts'

export interface FormState {
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  /** Asked about the address; see address-question.tsx. */
  readonly question?: ReactNode
  /** False where the notice's toast was closed or has gone; its twin in the page stays. */
  readonly isToastOpen: boolean
  readonly isBusy: boolean
  /** How often Next has been answered: the focus moves when this does. */
  readonly replies: number
  readonly leadId?: string | undefined
  /** The affiliate id that was sent with the lead. */
  readonly subId?: string | undefined
}

export type FormEvent =
  | { readonly type: 'typed'; readonly answers: Partial<Answers> }
  | { readonly type: 'keyed'; readonly key: string }
  | { readonly type: 'went-to'; readonly step: StepNumber }
  | { readonly type: 'began' }
  | { readonly type: 'took-step'; readonly taken: StepTaken; readonly question?: ReactNode }
  | {
      readonly type: 'failed-to-send'
      readonly errors: FieldErrors
      readonly step: StepNumber
      readonly notice: Notice
    }
  | { readonly type: 'sent'; readonly leadId: string; readonly subId: string | undefined }
  | { readonly type: 'toast-closed' }

export function initialState(posted: PostedEnquiry | undefined, question?: ReactNode): FormState {
  const {
    enquiry = newEnquiry,
    errors = {},
    fault,
    notice = fault && addressNotice(fault),
    leadId,
    subId,
  } = posted ?? {}
  return {
    enquiry,
    errors,
    notice,
    question,
    isToastOpen: false,
    isBusy: false,
    replies: 0,
    leadId,
    subId,
  }
}

export function formReducer(state: FormState, event: FormEvent): FormState {
  const { enquiry } = state
  switch (event.type) {
    case 'typed': {
      const answers = { ...enquiry.answers, ...event.answers }
      const isChanged = (field: Field) => answers[field] !== enquiry.answers[field]
      if (!fields.some(isChanged)) return state
      const errors = { ...state.errors }
      for (const field of fields.filter(isChanged)) delete errors[field]
      // It was about the address that has just been changed.
      const question = isChanged('address') || isChanged('zip') ? undefined : state.question
      return { ...state, enquiry: { ...enquiry, answers }, errors, question }
    }
    case 'keyed':
      return { ...state, enquiry: { ...enquiry, key: event.key } }
    case 'went-to':
      // What is under way says itself where it leads.
      if (state.isBusy) return state
      return { ...atRest(state), enquiry: { ...enquiry, step: event.step } }
    case 'began':
      return { ...atRest(state), isBusy: true }
    case 'took-step': {
      const { enquiry: next, errors, fault } = event.taken
      const there = { ...state, enquiry: next, question: event.question }
      return replied(there, errors, fault && addressNotice(fault))
    }
    case 'failed-to-send': {
      const there = { ...state, enquiry: { ...enquiry, step: event.step } }
      return replied(there, event.errors, event.notice)
    }
    case 'sent': {
      const done = { ...newEnquiry, step: thankYouStep }
      return { ...atRest(state), enquiry: done, leadId: event.leadId, subId: event.subId }
    }
    case 'toast-closed':
      return { ...state, isToastOpen: false }
  }
}

const atRest = (state: FormState): FormState => ({
  ...state,
  isBusy: false,
  errors: {},
  notice: undefined,
  isToastOpen: false,
})

const replied = (state: FormState, errors: FieldErrors, notice: Notice | undefined): FormState => ({
  ...state,
  errors,
  notice,
  isBusy: false,
  isToastOpen: notice !== undefined,
  replies: state.replies + 1,
})
