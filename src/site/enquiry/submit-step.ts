import { honeypotField } from '#contract/own-api.ts'
import { type AddressServices, withReply } from '#domain/enquiry/address.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { formFacts } from '#domain/enquiry/rules.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { replyFrom, takeStep } from '#domain/enquiry/take-step.ts'
import { lookUpZip, untilLimit, validateAddress } from './api-client.ts'
import { dispatch, type FormEvent } from './form-reducer.ts'
import type { EnquiryProps, LiveForm } from './form-state.ts'
import { tidyNumbers } from './format-input.ts'
import { affiliateId, newEnquiryKey, sendEnquiry, timeSinceOpening } from './send-enquiry.ts'
import { goBack } from './step-history.ts'

/** Returns the services of one address check, which share the time limit of one call. */
export function addressServices(): AddressServices {
  const limit = untilLimit()
  return {
    lookUpZip: (zip) => Promise.race([lookUpZip(zip), limit]),
    validateAddress: (address, zip) => Promise.race([validateAddress(address, zip), limit]),
  }
}

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
  if (callsServer(enquiry)) dispatch(live, { type: 'began' })
  dispatch(live, await answerTo(enquiry, posted, live.props))
}

/** Returns whether a step calls our server. Other steps respond at once, and a spinner would only cost a paint. */
const callsServer = ({ step }: Enquiry): boolean =>
  ['address', 'program'].includes(steps[step]?.id ?? '')

async function answerTo(
  enquiry: Enquiry,
  posted: FormData,
  props: EnquiryProps,
): Promise<FormEvent> {
  const filledInMs = timeSinceOpening(props)
  const reply = replyFrom((control) => posted.get(control))
  const replied = withReply(withKey(enquiry), reply)
  // If the browser has to post the form itself, the key marks the post as the same enquiry.
  posted.set('key', replied.key)
  const facts = formFacts(props.programs, props.currentYear, replied.answers)
  const taken = await takeStep(replied, { facts, services: addressServices() })
  if (taken.fault?.kind === 'address-call' && !navigator.onLine) {
    return { type: 'offline-at-address', enquiry: replied }
  }
  if (!taken.isComplete) return { type: 'took-step', taken }
  return sendEnquiry(taken.enquiry, {
    category: props.area,
    subId: affiliateId(),
    filledInMs,
    [honeypotField]: String(posted.get(honeypotField) ?? ''),
  })
}

const withKey = (enquiry: Enquiry): Enquiry =>
  enquiry.key === '' ? { ...enquiry, key: newEnquiryKey() } : enquiry
