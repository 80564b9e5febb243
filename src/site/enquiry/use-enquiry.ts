import { type FormEvent, type ReactNode, useCallback, useEffect, useReducer, useRef } from 'react'
import type { Step } from '#domain/enquiry/step.ts'
import { steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { formatPhoneOf } from './about-you/format-phone-input.ts'
import { dropDraft, saveDraft } from './draft.ts'
import { newEnquiryKey } from './enquiry-key.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import { formReducer, initialState } from './form-state.ts'
import { loadStepLogic } from './load-step-logic.ts'
import { pageTitle } from './page-title.ts'
import { shownAnswers } from './shown-answers.ts'
import { broadcastStep, onGoTo } from './step-broadcast.ts'
import { pixelUrl } from './thank-you/pixel-url.ts'
import { focusSummary, useFocus } from './use-focus.ts'
import { useStepHistory } from './use-step-history.ts'

/** The form's life in the browser: its state, and what the visitor's and the page's actions do to it. */
export function useEnquiry(props: EnquiryProps, question: ReactNode) {
  const [state, dispatch] = useReducer(formReducer, props.posted, (posted) =>
    initialState(posted, question),
  )
  const container = useRef<HTMLDivElement>(null)
  // The state is busy only from the next render on, and a second click can come before that.
  const isTaking = useRef(false)
  const { enquiry, leadId } = state
  const { step } = enquiry

  const goBack = useStepHistory(step, {
    reach: async (wanted) => (await loadStepLogic()).reachableStep(wanted, enquiry, props),
    show: (reached) => dispatch({ type: 'went-to', step: reached }),
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
    // Has come long before Next is pressed.
    loadStepLogic().catch(() => undefined)
    const shown = steps[step]
    if (shown) dispatch({ type: 'typed', answers: shownAnswers(currentTarget, shown) })
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { currentTarget: form } = event
    const shown = steps[step]
    if (isTaking.current || shown === undefined) return
    // Before the form is disabled: a disabled field posts nothing.
    const posted = new FormData(form, (event.nativeEvent as SubmitEvent).submitter)
    if (posted.get('move') === 'back') return goBack()

    isTaking.current = true
    const answers = { ...enquiry.answers, ...shownAnswers(form, shown) }
    const stepLogic = await loadStepLogic().catch(() => undefined)
    // Without the rest of the script the form still works as it does without any.
    if (stepLogic === undefined) return form.submit()
    if (asksTheServer(shown)) dispatch({ type: 'began' })
    dispatch(await stepLogic.submitStep({ ...enquiry, answers }, posted, props))
    isTaking.current = false
  }

  return {
    state,
    container,
    onInput,
    onSubmit,
    closeToast: useCallback(() => {
      // The focus would fall to the page's start with it.
      if (document.activeElement?.closest('[data-toast]')) focusSummary(container.current)
      dispatch({ type: 'toast-closed' })
    }, []),
    pixel: props.pixelUrl && leadId ? pixelUrl(props.pixelUrl, leadId, state.subId) : undefined,
  }
}

/** The other steps are answered at once: showing that they are under way would only cost a paint. */
const asksTheServer = ({ id }: Step): boolean => id === 'address' || id === 'program'
