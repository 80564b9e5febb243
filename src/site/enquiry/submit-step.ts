import { makeAddressNotice, offlineAddressNotice } from '#content/messages.ts'
import {
  areaButton,
  attributionField,
  disclosureField,
  honeypotField,
} from '#contract/api-constants.ts'
import { areaPath, parseArea } from '#domain/area.ts'
import { advanceStep, applyReply, readQuestionReply } from '#domain/enquiry/advance-step.ts'
import { type Enquiry, steps } from '#domain/enquiry/enquiry.ts'
import { makeRuleContext } from '#domain/enquiry/rules.ts'
import { findDeviceClass } from '#domain/measuring/funnel.ts'
import { addressServices } from './api-client.ts'
import { matchesSavedDraft, saveDraft } from './draft.ts'
import { focusProblem } from './focus-problem.ts'
import { dispatch } from './form-reducer.ts'
import type { EnquiryProps, FormAction, LiveForm } from './form-state.ts'
import { formatNumberFields } from './format-input.ts'
import {
  makeIdempotencyKey,
  measureTimeSinceOpening,
  readAffiliateId,
  sendEnquiry,
} from './send-enquiry.ts'
import { goBack } from './step-history.ts'

/** Handles a press of Next or Back. @throws if only the browser itself can still post the form */
export async function submitStep(live: LiveForm, posted: FormData): Promise<void> {
  if (posted.get('move') === 'back') return goBack(live)
  const area = posted.get(areaButton)
  if (area) {
    const enquiry = live.enquiry()
    saveDraft(enquiry)
    // Without storage, the browser posts the answers, and the server leads to the area's page.
    if (!matchesSavedDraft(enquiry)) throw new Error('the tab keeps no draft')
    return location.assign(`${areaPath(parseArea(String(area)))}#request`)
  }
  if (posted.get('move') === 'ask' && !posted.get('unit')) return void focusProblem(live.state())
  const form = live.element()
  if (form) formatNumberFields(form)
  // A correction that the visitor takes stands in its field, too, because another question may follow.
  const field = form?.elements.namedItem('email')
  const meantEmail = posted.get('meantEmail')
  if (field instanceof HTMLInputElement && meantEmail) field.value = String(meantEmail)
  const enquiry = live.enquiry()
  if (callsServer(enquiry)) dispatch(live, { type: 'request-started' })
  dispatch(live, await processStep(enquiry, posted, live.props))
}

/** Returns whether the step calls our server. A step without a call responds at once and needs no spinner. */
const callsServer = ({ step }: Enquiry): boolean =>
  ['address', 'program'].includes(steps[step]?.id ?? '')

async function processStep(
  enquiry: Enquiry,
  posted: FormData,
  props: EnquiryProps,
): Promise<FormAction> {
  const filledInMs = measureTimeSinceOpening(props)
  const reply = readQuestionReply((control) => posted.get(control))
  const replied = applyReply(withIdempotencyKey(enquiry), reply)
  // If the browser has to post the form itself, the server recognizes the enquiry by this key.
  posted.set('key', replied.key)
  const ruleContext = makeRuleContext(props.programs, props.currentYear, replied.answers)
  const advanced = await advanceStep(replied, { ruleContext, services: addressServices })
  const { errors, question, fault } = advanced
  if (fault?.kind === 'address-call' && !navigator.onLine) {
    const response = { enquiry: replied, errors: {}, notice: offlineAddressNotice }
    return { type: 'responded', response }
  }
  if (!advanced.isComplete) {
    const notice = fault && makeAddressNotice(fault)
    return { type: 'responded', response: { enquiry: advanced.enquiry, errors, question, notice } }
  }
  return sendEnquiry(advanced.enquiry, {
    category: props.area,
    subId: readAffiliateId(),
    filledInMs,
    device: findDeviceClass(innerWidth),
    [honeypotField]: String(posted.get(honeypotField) ?? ''),
    [attributionField]: posted.get(attributionField)?.toString(),
    [disclosureField]: props.disclosure.id,
  })
}

const withIdempotencyKey = (enquiry: Enquiry): Enquiry =>
  enquiry.key === '' ? { ...enquiry, key: makeIdempotencyKey() } : enquiry
