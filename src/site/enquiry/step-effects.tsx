import { useEffect, useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { advanceStep, type StepQuestion } from '#domain/enquiry/advance-step.ts'
import { emptyEnquiry, type FieldErrors, type StepNumber } from '#domain/enquiry/enquiry.ts'
import { listRefusals, makeFormContext } from '#domain/enquiry/rules.ts'
import { type Step, steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { deleteDraft, discardDraft, isDraft, saveDraft, whenIdle } from './draft.ts'
import { EnquiryForm } from './enquiry-form.tsx'
import { formReducer } from './form-reducer.ts'
import { type EnquiryProps, type FormState, initialState, type LiveForm } from './form-state.ts'
import { formatNumberFields } from './format-input.ts'
import { makePageTitle } from './page-title.ts'
import { makeEnquiryKey, readAffiliateId } from './send-enquiry.ts'
import { useStepHistory } from './step-history.ts'
import type { StepLogic } from './step-logic.ts'
import { makeAddressServices } from './submit-step.ts'

const inputs = ['keydown', 'pointerdown'] as const

/**
 * Runs the work once the browser has painted React's last change. If the visitor presses a key or the pointer before, the
 * work runs first, so that the key reaches the newly focused element.
 *
 * @returns a function that cancels waiting work
 */
export function runAfterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    for (const type of inputs) removeEventListener(type, run, { capture: true })
  }
  const run = () => {
    cancel()
    work()
  }
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  for (const type of inputs) addEventListener(type, run, { capture: true })
  return cancel
}

/**
 * Moves the focus after a response: to the summary of errors or the question, or else to the new step's heading. The
 * browser paints first, because moving the focus lays out the page once more.
 *
 * @param first the step that the page was loaded with
 */
function useFocus(step: StepNumber, first: StepNumber, replies: number): void {
  const shown = useRef({ step: first, replies })
  useEffect(() => {
    const { current } = shown
    const needsVisitor =
      current.replies !== replies && document.querySelector('[data-summary]') !== null
    const isSummary = current.step === step || needsVisitor
    shown.current = { step, replies }
    const move = isSummary ? focusSummary : () => focusElement('#enquiry-heading')
    return runAfterPaint(runUnlessFocusMoved(move))
  }, [step, replies])
}

export const focusSummary = (): void => focusElement('[data-summary]')

const focusElement = (selector: string): void =>
  document.querySelector<HTMLElement>(selector)?.focus()

/** Moves the focus unless the visitor has moved it: a screen reader moves the focus without a key or a press. */
export function runUnlessFocusMoved(move: () => void): () => void {
  const from = document.activeElement
  return () => {
    const at = document.activeElement
    if (at === from || at === document.body) move()
  }
}

/**
 * Runs the code behind Next once on an invisible form while the browser is idle, so that the browser compiles the rules,
 * their patterns and React's updates before the visitor presses Next. An empty step calls no service.
 */
export function warmUpSteps(form: EnquiryProps, logic: StepLogic): void {
  const { programs, currentYear } = form
  const facts = makeFormContext(programs, currentYear, emptyEnquiry.answers)
  const ports = { facts, services: makeAddressServices() }
  const [first] = steps.map((_, step) =>
    advanceStep({ ...emptyEnquiry, step: step as StepNumber }, ports),
  )
  makeEnquiryKey()
  whenIdle(async () => {
    const taken = await first
    const [aboutYou, address] = steps
    if (!taken || !aboutYou || !address) return
    const root = createRoot(document.createElement('div'))
    const render = (step: Step, state: FormState) =>
      root.render(<EnquiryForm step={step} state={state} form={form} logic={logic} />)
    const fresh = initialState({})
    render(aboutYou, formReducer(fresh, { type: 'took-step', taken }))
    whenIdle(() => {
      render(address, { ...fresh, enquiry: { ...emptyEnquiry, step: 1 } })
      whenIdle(() => root.unmount())
    })
  })
}

/** Tells the script that measures the visit which rules refused which fields, without any value. */
function reportRefusals(errors: FieldErrors): void {
  document.dispatchEvent(new CustomEvent('enquiry:refused', { detail: listRefusals(errors) }))
}

interface StepEffectsProps {
  live: LiveForm
  logic: StepLogic
  state: FormState
}

/** Updates the parts of the page that follow the step: history, focus, title and draft. The component renders nothing. */
export function StepEffects({ live, logic, state }: StepEffectsProps) {
  const { enquiry, replies, question } = state
  const { step } = enquiry
  // The page's first step: the visitor may have pressed Next while the script was loading.
  const { current: first } = useRef<StepNumber>(live.props.posted?.enquiry.step ?? 0)

  useStepHistory(live, step, first)
  useFocus(step, first, replies)
  useSinglePress({ step, question }, { step: first, question: live.props.posted?.question })
  useEffect(() => void readAffiliateId(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reply is reported once
  useEffect(() => reportRefusals(state.errors), [replies])
  useEffect(() => whenIdle(() => warmUpSteps(live.props, logic)), [live, logic])
  useEffect(() => {
    // Formats text that was typed or autofilled while the script was loading.
    const form = live.element()
    if (form) formatNumberFields(form)
  }, [live])
  // The draft is removed before the paint: a visitor who reloads the thank-you screen at once must find no trace of the
  // enquiry.
  useLayoutEffect(() => {
    if (enquiry.step === thankYouStep) return deleteDraft()
    return runAfterPaint(() => saveDraft(live.enquiry()))
  }, [live, enquiry])
  useEffect(() => {
    document.title = makePageTitle(live.props.title, state)
  })
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && live.element() && !isDraft(live.enquiry())) restartEnquiry()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [live])
  return null
}

/**
 * Reloads an outdated form that the browser has restored. If a later page continued or sent the enquiry, the old form
 * must not be shown to the next person, nor sent again. The function does not call `reload`, which would repeat a post.
 */
function restartEnquiry(): void {
  discardDraft()
  location.replace(location.pathname + location.search)
}

/** The time within which browsers and systems count a second click as a double click, in milliseconds. */
const doublePressMs = 500

interface Shown {
  readonly step: StepNumber
  readonly question: StepQuestion | undefined
}

/**
 * Counts a double click or tap on Next as one press: the second click would hit the next step's button and show errors,
 * or skip a question. A single click or a key always counts.
 *
 * @param first the state that the page was loaded with
 */
export function useSinglePress({ step, question }: Shown, first: Shown): void {
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  const previous = useRef(first)

  useEffect(() => {
    const { current } = previous
    if (step !== current.step || question !== current.question) shownAt.current = performance.now()
    previous.current = { step, question }
  }, [step, question])

  useEffect(() => {
    let isTouch = false
    const onDown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === 'touch'
    }
    const onClick = (event: MouseEvent) => {
      // Some browsers do not count taps in `event.detail`.
      const isSecond = event.detail > 1 || (event.detail === 1 && isTouch)
      const isNext = event.target instanceof Element && event.target.closest('form [value=next]')
      if (isNext && isSecond && event.timeStamp - shownAt.current < doublePressMs) {
        event.preventDefault()
      }
    }
    // A press after typing is deliberate.
    const onInput = () => {
      shownAt.current = Number.NEGATIVE_INFINITY
    }
    addEventListener('input', onInput, { capture: true, passive: true })
    addEventListener('pointerdown', onDown, { capture: true, passive: true })
    addEventListener('click', onClick, { capture: true })
    return () => {
      removeEventListener('input', onInput, { capture: true })
      removeEventListener('pointerdown', onDown, { capture: true })
      removeEventListener('click', onClick, { capture: true })
    }
  }, [])
}
