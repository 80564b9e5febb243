import { useEffect, useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { advanceStep, type StepQuestion } from '#domain/enquiry/advance-step.ts'
import type { FieldErrors } from '#domain/enquiry/answers.ts'
import {
  emptyEnquiry,
  type Step,
  type StepNumber,
  steps,
  thankYouStep,
} from '#domain/enquiry/enquiry.ts'
import { listBrokenRules, makeRuleContext } from '#domain/enquiry/rules.ts'
import { addressServices } from './api-client.ts'
import { deleteDraft, matchesSavedDraft, runWhenIdle, saveDraft, stopSavingDraft } from './draft.ts'
import { EnquiryForm } from './enquiry-form.tsx'
import { focusElement, focusProblem } from './focus-problem.ts'
import { dispatch, formReducer } from './form-reducer.ts'
import { type EnquiryProps, type FormState, type LiveForm, makeInitialState } from './form-state.ts'
import { formatNumberFields } from './format-input.ts'
import type { LazyFormParts } from './lazy-form-parts.ts'
import { makeIdempotencyKey, readAffiliateId } from './send-enquiry.ts'
import { useStepHistory } from './step-history.ts'
import { makeStepTitle } from './step-title.ts'

const inputs = ['keydown', 'pointerdown'] as const

/** Runs the work after the next paint, or earlier, before a key or press. @returns a function that cancels the work */
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

/** Moves the focus to what needs the visitor, or to a new step's heading. */
function useFocus(state: FormState, first: StepNumber): void {
  const { replies } = state
  const { step } = state.enquiry
  const shown = useRef({ step: first, replies })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a step or a response moves the focus
  useEffect(() => {
    const { current } = shown
    shown.current = { step, replies }
    const move = () => {
      const isProblem =
        (current.step === step || current.replies !== replies) && focusProblem(state)
      if (isProblem || current.step === step) return
      // The last step's button is far down, but the thank-you screen starts with the check mark above its heading.
      if (step === thankYouStep) scrollTo({ top: 0, behavior: 'instant' })
      focusElement('#enquiry-heading')
    }
    return runAfterPaint(skipIfFocusMoves(move))
  }, [step, replies])
}

/** Removes what corrected errors have left, but nothing moves from under a pointer between its press and its click. */
function useSpaceOfCorrectedErrors(live: LiveForm): void {
  useEffect(() => {
    let isPressed = false
    let hasLeft = false
    const isIn = (selector: string) => Boolean(document.activeElement?.closest(selector))
    // By touch, the focus leaves the field just before the click.
    const close = () =>
      setTimeout(() => {
        if (isPressed || !hasLeft || isIn('[data-summary]')) return
        hasLeft = false
        dispatch(live, { type: 'left-field' })
      })
    const listeners = {
      pointerdown: () => {
        isPressed = true
      },
      pointerup: () => {
        isPressed = false
        // A pressed button or link changes the form or leaves the page.
        if (!isIn('a, button')) close()
      },
      focusout: () => {
        hasLeft = true
        close()
      },
      // In Safari, a click on a checkbox does not focus it.
      change: () => {
        hasLeft ||= !isIn('fieldset')
        close()
      },
    }
    const { pointerup } = listeners
    const all = Object.entries({ ...listeners, pointercancel: pointerup })
    for (const [type, listener] of all) addEventListener(type, listener, { capture: true })
    return () => {
      for (const [type, listener] of all) removeEventListener(type, listener, { capture: true })
    }
  }, [live])
}

/** Returns a function that moves the focus unless the visitor has moved it, as a screen reader does without a key. */
export function skipIfFocusMoves(move: () => void): () => void {
  const from = document.activeElement
  return () => {
    const at = document.activeElement
    if (at === from || at === document.body) move()
  }
}

/**
 * Runs the code behind Next once on an invisible form while the browser is idle, so that the browser has compiled the
 * rules, their patterns and React's updates before the visitor presses Next. A step without answers calls no service.
 */
export function warmUpSteps(form: EnquiryProps, lazyParts: LazyFormParts): void {
  const { programs, currentYear } = form
  const ruleContext = makeRuleContext(programs, currentYear, emptyEnquiry.answers)
  const dependencies = { ruleContext, services: addressServices }
  const [first] = steps.map((_, step) =>
    advanceStep({ ...emptyEnquiry, step: step as StepNumber }, dependencies),
  )
  makeIdempotencyKey()
  runWhenIdle(async () => {
    const response = await first
    const [aboutYou, address] = steps
    if (!response || !aboutYou || !address) return
    const root = createRoot(document.createElement('div'))
    const render = (step: Step, state: FormState) =>
      root.render(<EnquiryForm step={step} state={state} form={form} lazyParts={lazyParts} />)
    const newState = makeInitialState({})
    render(aboutYou, formReducer(newState, { type: 'responded', response }))
    runWhenIdle(() => {
      render(address, { ...newState, enquiry: { ...emptyEnquiry, step: 1 } })
      runWhenIdle(() => root.unmount())
    })
  })
}

/** Tells `measure-visit.ts` which rules refused which fields, without the refused answers. */
function reportRefusals(errors: FieldErrors, { programs, currentYear }: EnquiryProps): void {
  const context = makeRuleContext(programs, currentYear, emptyEnquiry.answers)
  const detail = listBrokenRules(errors, context)
  document.dispatchEvent(new CustomEvent('enquiry:refused', { detail }))
}

/** Updates the history, the focus, the title and the draft after each step. This component renders nothing. */
interface StepEffectsProps {
  live: LiveForm
  lazyParts: LazyFormParts
  state: FormState
}

export function StepEffects({ live, lazyParts, state }: StepEffectsProps) {
  const { enquiry, replies, question } = state
  const { step } = enquiry
  // The step with which the page opened. The visitor may have pressed Next before the script loaded.
  const { current: first } = useRef<StepNumber>(live.props.posted?.enquiry.step ?? 0)

  useStepHistory(live, step, first)
  useFocus(state, first)
  useSpaceOfCorrectedErrors(live)
  useDoubleClickGuard({ step, question }, { step: first, question: live.props.posted?.question })
  useEffect(() => void readAffiliateId(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response reports its errors once
  useEffect(() => reportRefusals(state.errors, live.props), [replies])
  useEffect(() => runWhenIdle(() => warmUpSteps(live.props, lazyParts)), [live, lazyParts])
  useEffect(() => {
    // Formats text that was typed or autofilled while the script was loading.
    const form = live.element()
    if (form) formatNumberFields(form)
  }, [live])
  // The draft is deleted before the paint, because a reload of the thank-you screen must never show the answers.
  useLayoutEffect(() => {
    if (enquiry.step === thankYouStep) return deleteDraft()
    return runAfterPaint(() => saveDraft(live.enquiry()))
  }, [live, enquiry])
  useEffect(() => {
    document.title = makeStepTitle(live.props.title, state)
  })
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && live.element() && !matchesSavedDraft(live.enquiry())) restartEnquiry()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [live])
  return null
}

/** Loads the page anew: nobody may send answers that a later page has sent. `location.reload` would repeat a post. */
function restartEnquiry(): void {
  stopSavingDraft()
  location.replace(location.pathname + location.search)
}

/** The longest time between the clicks of a double click, in milliseconds. */
const doublePressMs = 500

interface ShownStep {
  readonly step: StepNumber
  readonly question: StepQuestion | undefined
}

/** Counts a double click or tap on Next as one press, because the second click would press the next step's button. */
function useDoubleClickGuard({ step, question }: ShownStep, first: ShownStep): void {
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
      const isOn = (selector: string) =>
        event.target instanceof Element && event.target.closest(selector) !== null
      // Some browsers do not count taps in `event.detail`.
      const isTap = event.detail === 1 && isTouch && isOn('form [value=next]')
      const isSecond = isTap || (event.detail > 1 && isOn('form [type=submit]:not([value=back])'))
      if (isSecond && event.timeStamp - shownAt.current < doublePressMs) {
        event.preventDefault()
      }
    }
    // A press after typing is deliberate, even soon after the first press.
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
