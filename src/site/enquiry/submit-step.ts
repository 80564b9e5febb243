import { attributionField, honeypotField } from '#contract/api-constants.ts'
import { type AddressServices, applyReply } from '#domain/enquiry/address.ts'
import { advanceStep, readQuestionReply } from '#domain/enquiry/advance-step.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { makeFormContext } from '#domain/enquiry/rules.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { findDeviceClass } from '#domain/measuring/funnel.ts'
import { lookUpZip, startTimeout, validateAddress } from './api-client.ts'
import { dispatch, type FormEvent } from './form-reducer.ts'
import type { EnquiryProps, LiveForm } from './form-state.ts'
import { formatNumberFields } from './format-input.ts'
import {
  makeEnquiryKey,
  measureTimeSinceOpening,
  readAffiliateId,
  sendEnquiry,
} from './send-enquiry.ts'
import { goBack } from './step-history.ts'

/** Returns the services of one address check, which share the time limit of one call. */
export function makeAddressServices(): AddressServices {
  const limit = startTimeout()
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
  if (form) formatNumberFields(form)
  const enquiry = live.enquiry()
  if (callsServer(enquiry)) dispatch(live, { type: 'began' })
  dispatch(live, await processStep(enquiry, posted, live.props))
}

/** Returns whether a step calls our server. Other steps respond at once, and a spinner would only cost a paint. */
const callsServer = ({ step }: Enquiry): boolean =>
  ['address', 'program'].includes(steps[step]?.id ?? '')

async function processStep(
  enquiry: Enquiry,
  posted: FormData,
  props: EnquiryProps,
): Promise<FormEvent> {
  const filledInMs = measureTimeSinceOpening(props)
  const reply = readQuestionReply((control) => posted.get(control))
  const replied = applyReply(withIdempotencyKey(enquiry), reply)
  // If the browser has to post the form itself, the key marks the post as the same enquiry.
  posted.set('key', replied.key)
  const facts = makeFormContext(props.programs, props.currentYear, replied.answers)
  const taken = await advanceStep(replied, { facts, services: makeAddressServices() })
  if (taken.fault?.kind === 'address-call' && !navigator.onLine) {
    return { type: 'offline-at-address', enquiry: replied }
  }
  if (!taken.isComplete) return { type: 'took-step', taken }
  return sendEnquiry(taken.enquiry, {
    category: props.area,
    subId: readAffiliateId(),
    filledInMs,
    device: findDeviceClass(innerWidth),
    [honeypotField]: String(posted.get(honeypotField) ?? ''),
    [attributionField]: posted.get(attributionField)?.toString(),
  })
}

const withIdempotencyKey = (enquiry: Enquiry): Enquiry =>
  enquiry.key === '' ? { ...enquiry, key: makeEnquiryKey() } : enquiry
