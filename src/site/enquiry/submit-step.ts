import { addressNotice, offlineAddressNotice } from '#content/messages.ts'
import { affiliateCookie, honeypotField } from '#contract/own-api.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { formFacts } from '#domain/enquiry/rules.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { takeStep, withReply } from '#domain/enquiry/take-step.ts'
import { addressServices } from './api-client.ts'
import type { EnquiryProps, LiveForm } from './form-state.ts'
import { tidyNumbers } from './format-input.ts'
import { readCookie } from './read-cookie.ts'
import { newEnquiryKey, sendEnquiry } from './send-enquiry.ts'
import { type StateChange, showResponse, startRequest } from './state-changes.ts'
import { goBack } from './step-history.ts'

/**
 * Handles a press of one of the form's buttons.
 *
 * @param posted the data that the form would post
 * @throws if only the browser itself can still post the form
 */
export async function submitStep(live: LiveForm, posted: FormData): Promise<void> {
  if (posted.get('move') === 'back') return goBack(live)
  const form = live.element()
  if (form) tidyNumbers(form)
  const enquiry = live.enquiry()
  if (callsServer(enquiry)) live.update(startRequest)
  live.update(await takeOrSend(enquiry, posted, live.props))
}

/** Only these steps show that they are busy: others respond at once, and a spinner would only cost a paint. */
const callsServer = ({ step }: Enquiry): boolean =>
  ['address', 'program'].includes(steps[step]?.id ?? '')

async function takeOrSend(
  enquiry: Enquiry,
  posted: FormData,
  props: EnquiryProps,
): Promise<StateChange> {
  const key = enquiry.key || newEnquiryKey()
  // If the browser has to post the form itself, the key keeps it the same enquiry.
  posted.set('key', key)
  const replied = withReply({ ...enquiry, key }, posted.get('suggestion'))
  const facts = formFacts(props.programs, props.currentYear, replied.answers)
  const taken = await takeStep(replied, { facts, services: addressServices })
  if (taken.isComplete) {
    return sendEnquiry(taken.enquiry, {
      category: props.area,
      subId: readCookie(affiliateCookie),
      // The time is unknown if the enquiry began on an earlier page, or before a reload.
      filledInMs: props.posted ? undefined : Math.round(performance.now()),
      [honeypotField]: String(posted.get(honeypotField) ?? ''),
    })
  }
  if (taken.fault?.kind === 'address-call' && !navigator.onLine) {
    return showResponse({ enquiry: replied, errors: {}, notice: offlineAddressNotice })
  }
  return showResponse({ ...taken, notice: taken.fault && addressNotice(taken.fault) })
}
