import { affiliateCookie, honeypotField, secureAffiliateCookie } from '#contract/own-api.ts'
import { withReply } from '#domain/enquiry/address-question.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { firstUnanswered } from '#domain/enquiry/first-unanswered.ts'
import { formFacts } from '#domain/enquiry/form-facts.ts'
import { replyFrom } from '#domain/enquiry/reply-from.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import { type StepTaken, takeStep } from '#domain/enquiry/take-step.ts'
import { addressServices } from '../api/enquiry-api.ts'
import { readCookie } from '../api/read-cookie.ts'
import { questionOf } from './address/address-question.tsx'
import type { EnquiryProps } from './enquiry-props.ts'
import type { FormEvent } from './form-state.ts'
import { readDraft } from './read-draft.ts'
import { sendEnquiry } from './send-enquiry.ts'
import { timeSinceOpening } from './time-since-opening.ts'

/**
 * What pressing Next comes to: a step further, what needs the visitor, or the enquiry sent.
 * @param form what the form would post
 */
export async function submitStep(
  enquiry: Enquiry,
  form: FormData,
  props: EnquiryProps,
): Promise<FormEvent> {
  const filledInMs = timeSinceOpening(props)
  const replied = withReply(
    enquiry,
    replyFrom((control) => form.get(control)),
  )
  const facts = formFacts(props.programs, props.currentYear, replied.answers)
  const taken = await takeStep(replied, { facts, services: addressServices })
  return taken.isComplete
    ? sendEnquiry(taken.enquiry, {
        category: props.area,
        subId: readCookie(affiliateCookieHere()),
        filledInMs,
        [honeypotField]: String(form.get(honeypotField) ?? ''),
      })
    : { type: 'took-step', taken, question: questionOf(taken.question) }
}

const affiliateCookieHere = (): string =>
  location.protocol === 'https:' ? secureAffiliateCookie : affiliateCookie

/** For a posted form's reply: nothing is asked before an address was checked, so that it is shown by this part. */
export const questionIn = ({ question }: Pick<StepTaken, 'question'>) => questionOf(question)

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
