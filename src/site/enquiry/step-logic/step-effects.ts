import { useEffect, useLayoutEffect, useRef } from 'react'
import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'
import { dropDraft, giveUpDraft, isDraft, saveDraft } from '../draft/draft.ts'
import { tidyNumbers } from '../form/format-input.ts'
import type { FormState } from '../form-state.ts'
import type { LiveForm } from '../live-form.ts'
import { affiliateId } from '../sending/affiliate-id.ts'
import { hearSentKeys } from '../sending/sent-key.ts'
import { whenIdle } from '../when-idle.ts'
import { afterPaint } from './after-paint.ts'
import { pageTitle } from './page-title.ts'
import { rehearseSteps } from './rehearse-steps.tsx'
import { useStepHistory } from './step-history.ts'
import type { StepLogic } from './step-logic.ts'
import { useFocus } from './use-focus.ts'
import { useSinglePress } from './use-single-press.ts'

interface StepEffectsProps {
  live: LiveForm
  logic: StepLogic
  state: FormState
}

/** What the page around the form follows the step with: history, focus, title and draft. It shows nothing. */
export function StepEffects({ live, logic, state }: StepEffectsProps) {
  const { enquiry, replies, question } = state
  const { step } = enquiry
  // What the page has begun with: the visitor may have gone on while this was loaded.
  const { current: first } = useRef<StepNumber>(live.props.posted?.enquiry.step ?? 0)

  useStepHistory(live, step, first)
  useFocus(step, first, replies)
  useSinglePress({ step, question }, { step: first, question: live.props.posted?.question })
  useEffect(() => void affiliateId(), [])
  useEffect(hearSentKeys, [])
  useEffect(() => whenIdle(() => rehearseSteps(live.props, logic)), [live, logic])
  useEffect(() => {
    // Typed or filled in while the script was on its way.
    const form = live.element()
    if (form) tidyNumbers(form)
  }, [live])
  // Before the paint: somebody who reads the thanks and reloads at once must find nothing of the enquiry.
  useLayoutEffect(() => {
    if (enquiry.step === thankYouStep) return dropDraft()
    return afterPaint(() => saveDraft(live.enquiry()))
  }, [live, enquiry])
  useEffect(() => {
    document.title = pageTitle(live.props.title, state)
  })
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && live.element() && !isDraft(live.enquiry())) beginAnew()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [live])
  return null
}

/**
 * A page that the browser had put aside comes back as it was left. Where the enquiry has gone on since, on a page after it,
 * or was sent there, what stands here is old: it may not be shown to whoever comes next, nor be sent again. Not a reload,
 * which would post a posted page once more.
 */
function beginAnew(): void {
  giveUpDraft()
  location.replace(location.pathname + location.search)
}
