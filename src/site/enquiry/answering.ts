import { affiliateCookie, secureAffiliateCookie } from '#contract/own-api.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { firstUnanswered } from '#domain/enquiry/first-unanswered.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import { takeStep } from '#domain/enquiry/take-step.ts'
import { addressServices } from '../api/enquiry-api.ts'
import { readCookie } from '../api/read-cookie.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import type { FormEvent } from './form-state.ts'
import { readDraft } from './read-draft.ts'
import { sendEnquiry } from './send-enquiry.ts'

/** What pressing Next comes to: a step further, what needs the visitor, or the enquiry sent. */
export async function takeNext(enquiry: Enquiry, props: EnquiryProps): Promise<FormEvent> {
  const facts = formFacts(props.programs, props.currentYear, enquiry.answers)
  const taken = await takeStep(enquiry, { facts, services: addressServices })
  return taken.isComplete
    ? sendEnquiry(taken.enquiry, props.area, readCookie(affiliateCookieHere()))
    : { type: 'took-step', taken }
}

const affiliateCookieHere = (): string =>
  location.protocol === 'https:' ? secureAffiliateCookie : affiliateCookie

/** The step nearest to the wanted one that the answers so far lead to. */
export function reachableStep(
  wanted: StepNumber,
  { answers }: Enquiry,
  { programs, currentYear }: EnquiryProps,
): StepNumber {
  const facts = formFacts(programs, currentYear, answers)
  return Math.min(wanted, firstUnanswered(answers, facts)) as StepNumber
}

export const { lookUpZip } = addressServices

/** Undefined where what is stored cannot be gone on with. */
export const enquiryFromDraft = (stored: string) => readDraft(stored)
