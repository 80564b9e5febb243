import * as v from 'valibot'
import { honeypotField } from '#contract/own-api.ts'
import { zipPlus4Pattern } from '#domain/enquiry/address.ts'
import { type Answers, type Enquiry, fields, noAnswers } from '#domain/enquiry/enquiry.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import { type PostedMove, replyFrom } from '#domain/enquiry/take-step.ts'
import { tidyAnswers } from '#domain/enquiry/tidy-answers.ts'

const twoLetters = v.fallback(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), '')

/** The hidden fields that tell where a posted form stood; what is missing or mangled counts as a first step. */
const place = v.object({
  step: v.fallback(v.pipe(v.string(), v.picklist(['0', '1', '2', '3']), v.transform(Number)), 0),
  checkedFor: v.fallback(v.string(), ''),
  checkedBy: v.fallback(v.picklist(['nobody', 'check', 'hand']), 'nobody'),
  zipPlus4: v.fallback(v.pipe(v.string(), v.regex(zipPlus4Pattern)), ''),
  zipState: twoLetters,
  toldState: twoLetters,
  key: v.fallback(v.pipe(v.string(), v.uuid(), v.toLowerCase()), ''),
  askedAbout: v.fallback(v.string(), ''),
  startedAt: v.fallback(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
    undefined,
  ),
  [honeypotField]: v.fallback(v.string(), ''),
})

export interface PostedForm extends PostedMove {
  readonly enquiry: Enquiry
}

/**
 * Reads a posted form.
 * @param newKey makes the enquiry's Idempotency-Key where this is its first post
 */
export function readPostedForm(
  form: Readonly<Record<string, unknown>>,
  newKey: () => string,
): PostedForm {
  const { step, checkedFor, checkedBy, key, startedAt, ...rest } = v.parse(place, form)
  const { zipPlus4, zipState, toldState, askedAbout } = rest
  return {
    enquiry: {
      step: step as StepNumber,
      answers: readAnswers(form),
      addressCheck: { checkedFor, by: checkedBy, zipPlus4, zipState, toldState },
      key: key || newKey(),
      askedAbout,
      startedAt,
      honeypot: rest[honeypotField],
    },
    move: form.move === 'back' ? 'back' : 'next',
    reply: replyFrom((control) => form[control]),
  }
}

function readAnswers(form: Readonly<Record<string, unknown>>): Answers {
  const texts = Object.fromEntries(
    fields.flatMap((field) => {
      const value = form[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
  return tidyAnswers({ ...noAnswers, ...texts })
}
