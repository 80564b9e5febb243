import { type FormEvent, useCallback, useEffect, useReducer, useRef } from 'react'
import { affiliateCookie } from '#contract/own-api.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import { firstUnanswered, type StepNumber, steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { takeStep } from '#domain/enquiry/take-step.ts'
import { addressServices } from '../api/enquiry-api.ts'
import { readCookie } from '../api/read-cookie.ts'
import { formatPhoneOf } from './about-you/format-phone-input.ts'
import { dropDraft, saveDraft } from './draft.ts'
import { newEnquiryKey } from './enquiry-key.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import { formReducer, initialState } from './form-state.ts'
import { pageTitle } from './page-title.ts'
import { sendEnquiry } from './send-enquiry.ts'
import { shownAnswers } from './shown-answers.ts'
import { broadcastStep, onGoTo } from './step-broadcast.ts'
import { pixelUrl } from './thank-you/pixel-url.ts'
import { useFocus } from './use-focus.ts'
import { useStepHistory } from './use-step-history.ts'

/** The form's life in the browser: its state, and what the visitor's and the page's actions do to it. */
export function useEnquiry(props: EnquiryProps) {
  const [state, dispatch] = useReducer(formReducer, props.posted, initialState)
  const container = useRef<HTMLDivElement>(null)
  // The state is busy only from the next render on, and a second click can come before that.
  const isTaking = useRef(false)
  const { enquiry, leadId } = state
  const { step } = enquiry

  const goBack = useStepHistory(step, (wanted) => {
    const facts = formFacts(props.programs, props.currentYear, enquiry.answers)
    const reached = Math.min(wanted, firstUnanswered(enquiry.answers, facts)) as StepNumber
    dispatch({ type: 'went-to', step: reached })
    return reached
  })
  useFocus(container, step, state.replies)

  useEffect(() => {
    // Typed or filled in while the script was on its way.
    const form = container.current?.querySelector('form')
    const shown = steps[step]
    if (form) formatPhoneOf(form)
    if (form && shown) dispatch({ type: 'typed', answers: shownAnswers(form, shown) })
  }, [step])
  useEffect(() => {
    if (enquiry.key === '') dispatch({ type: 'keyed', key: newEnquiryKey() })
  }, [enquiry.key])
  useEffect(() => (step === thankYouStep ? dropDraft() : saveDraft(enquiry)), [step, enquiry])
  useEffect(() => broadcastStep(step), [step])
  useEffect(() => {
    document.title = pageTitle(props.title, state)
  })
  useEffect(() => onGoTo((wanted) => dispatch({ type: 'went-to', step: wanted })), [])

  function onInput({ currentTarget }: FormEvent<HTMLFormElement>) {
    const shown = steps[step]
    if (shown) dispatch({ type: 'typed', answers: shownAnswers(currentTarget, shown) })
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const shown = steps[step]
    if (isTaking.current || shown === undefined) return
    if (isBack(event)) return goBack()

    const answers = { ...enquiry.answers, ...shownAnswers(event.currentTarget, shown) }
    const facts = formFacts(props.programs, props.currentYear, answers)
    isTaking.current = true
    dispatch({ type: 'began' })
    const taken = await takeStep({ ...enquiry, answers }, { facts, services: addressServices })
    dispatch(
      taken.isComplete
        ? await sendEnquiry(taken.enquiry, props.area, readCookie(affiliateCookie))
        : { type: 'took-step', taken },
    )
    isTaking.current = false
  }

  return {
    state,
    container,
    onInput,
    onSubmit,
    closeToast: useCallback(() => dispatch({ type: 'toast-closed' }), []),
    pixel: props.pixelUrl && leadId ? pixelUrl(props.pixelUrl, leadId, state.subId) : undefined,
  }
}

const isBack = (event: FormEvent<HTMLFormElement>): boolean => {
  const { submitter } = event.nativeEvent as SubmitEvent
  return submitter instanceof HTMLButtonElement && submitter.value === 'back'
}
