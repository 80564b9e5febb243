import {
  Component,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { steps } from '#domain/enquiry/enquiry.ts'
import { useDraft } from './draft.ts'
import styles from './enquiry.module.css'
import { EnquiryForm } from './enquiry-form.tsx'
import {
  postFormNatively,
  readEnquiry,
  type ServerRenderedForm,
  useFormElement,
} from './form-controls.ts'
import { type EnquiryProps, type LiveForm, makeInitialState } from './form-state.ts'
import type { LazyFormParts } from './lazy-form-parts.ts'
import { broadcastStep, listenForStepRequests, useLazyFormParts } from './load-lazy-form-parts.ts'

interface FormBoundaryProps {
  /** Renders the form without JavaScript, which the visitor sees after an error, with what the visitor has typed. */
  renderPlain: () => ReactNode
  children: ReactNode
}

/** Shows the form without JavaScript after an error in React, which a translation or an extension may cause. */
class FormBoundary extends Component<FormBoundaryProps> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.renderPlain() : this.props.children
  }
}

interface EnquiryAppProps extends EnquiryProps {
  /** The form's lazily loaded parts; undefined until the page has loaded them. */
  lazyParts?: LazyFormParts | undefined
  /** The form on the page before hydration; undefined on the server. */
  before?: ServerRenderedForm
}

export function EnquiryApp({ lazyParts: known, before, ...props }: EnquiryAppProps) {
  const [state, update] = useState(() => makeInitialState(props))
  const { lazyParts, load } = useLazyFormParts(known)
  const container = useRef<HTMLDivElement>(null)
  const element = useFormElement(container, before)
  const isSubmitting = useRef(false)
  const rendered = useRef(state)
  rendered.current = state
  const [live] = useState<LiveForm>(() => ({
    props,
    element: () => element.current,
    state: () => rendered.current,
    enquiry: () => readEnquiry(element.current, rendered.current.enquiry),
    update,
  }))
  const saveSoon = useDraft(live)
  const { enquiry, notice, isToastOpen } = state

  useEffect(() => broadcastStep(enquiry.step), [enquiry.step])
  useEffect(
    () =>
      listenForStepRequests(async (wantedStep) => {
        const { dispatch } = await load()
        dispatch(live, { type: 'went-to', enquiry: { ...live.enquiry(), step: wantedStep } })
      }),
    [load, live],
  )

  function onEdit({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    lazyParts?.handleEdit(live, name)
    saveSoon()
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A second click can come before React has rendered the form as busy.
    if (isSubmitting.current) return
    isSubmitting.current = true
    const { submitter } = event.nativeEvent as SubmitEvent
    // The form data is read before the form is disabled, because a disabled field posts nothing.
    const posted = new FormData(event.currentTarget, submitter)
    if (!lazyParts) update((before) => ({ ...before, isOffline: false, isBusy: true }))
    try {
      const { submitStep } = lazyParts ?? (await load())
      await submitStep(live, posted)
    } catch (error) {
      console.error(error)
      // If the form's script fails, the browser posts the form, but an offline browser would show an error page.
      const isOffline = !navigator.onLine
      update((before) => ({ ...before, isOffline, isBusy: false }))
      if (!isOffline) postFormNatively(posted)
    }
    isSubmitting.current = false
  }

  const step = steps[enquiry.step]
  const thankYouScreen = lazyParts && <lazyParts.ThankYou state={state} form={props} live={live} />
  const renderForm = (
    more: Omit<ComponentProps<typeof EnquiryForm>, 'step' | 'form' | 'lazyParts'>,
  ) =>
    step ? <EnquiryForm form={props} lazyParts={lazyParts} step={step} {...more} /> : thankYouScreen
  const toast = lazyParts && notice && isToastOpen && (
    <lazyParts.Toast notice={notice} state={state} live={live} />
  )
  return (
    <div className={styles.card} ref={container}>
      <FormBoundary
        renderPlain={() =>
          renderForm({ state: { ...state, enquiry: live.enquiry(), isBusy: false } })
        }
      >
        {renderForm({ state, onEdit, onSubmit, toast })}
        {lazyParts && <lazyParts.StepEffects live={live} lazyParts={lazyParts} state={state} />}
      </FormBoundary>
    </div>
  )
}
