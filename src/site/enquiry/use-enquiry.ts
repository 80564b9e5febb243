import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { enquiryIn } from './controls/enquiry-in.ts'
import { postNatively } from './controls/post-natively.ts'
import { type ServersForm, useFormElement } from './controls/use-form-element.ts'
import { useDraft } from './draft/use-draft.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import { initialState } from './form-state.ts'
import type { LiveForm } from './live-form.ts'
import { broadcastStep, onGoTo } from './step-logic/step-broadcast.ts'
import type { StepLogic } from './step-logic/step-logic.ts'
import { useStepLogic } from './step-logic/use-step-logic.ts'

/** The form's life in the browser as far as a fresh page needs it; the rest comes with the step's logic. */
export function useEnquiry(props: EnquiryProps, known?: StepLogic, before?: ServersForm) {
  const [state, update] = useState(() => initialState(props))
  const { logic, load } = useStepLogic(known)
  const container = useRef<HTMLDivElement>(null)
  const element = useFormElement(container, before)
  const isSubmitting = useRef(false)
  const rendered = useRef(state)
  rendered.current = state
  const [live] = useState<LiveForm>(() => ({
    props,
    element: () => element.current,
    state: () => rendered.current,
    enquiry: () => enquiryIn(element.current, rendered.current.enquiry),
    update,
  }))
  const saveSoon = useDraft(live)
  const closeToast = useCallback(() => logic?.closeToast(live), [logic, live])
  const { step } = state.enquiry

  useEffect(() => broadcastStep(step), [step])
  useEffect(
    () =>
      onGoTo(async (wanted) => {
        const { dispatch } = await load()
        dispatch(live, { type: 'went-to', enquiry: { ...live.enquiry(), step: wanted } })
      }),
    [load, live],
  )

  function onEdit({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    // The control shows by itself what was typed; only what is said about it may have to go.
    if (name in state.errors || state.question) logic?.dispatch(live, { type: 'edited', name })
    saveSoon()
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The state is busy only from the next render on, and a second click can come before that.
    if (isSubmitting.current) return
    isSubmitting.current = true
    const { submitter } = event.nativeEvent as SubmitEvent
    // Before the form is disabled: a disabled field posts nothing.
    const posted = new FormData(event.currentTarget, submitter)
    if (!logic) update((before) => ({ ...before, isOffline: false, isBusy: true }))
    try {
      const { submitStep } = logic ?? (await load())
      await submitStep(live, posted)
    } catch (error) {
      console.error(error)
      // What the script cannot do the form does by itself; offline that would end on an error page of the browser's.
      const isOffline = !navigator.onLine
      update((before) => ({ ...before, isOffline, isBusy: false }))
      if (!isOffline) postNatively(posted)
    }
    isSubmitting.current = false
  }

  return { live, state, logic, container, onEdit, onSubmit, closeToast }
}
