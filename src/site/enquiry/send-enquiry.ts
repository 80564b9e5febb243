import { type Notice, submissionNotice } from '#content/messages.ts'
import { requestField, requestFromAnswers } from '#contract/lead-request.ts'
import type { Area } from '#domain/area.ts'
import { verifiedAddress } from '#domain/enquiry/address-standing.ts'
import { type FieldErrors, fields } from '#domain/enquiry/answers.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { type StepNumber, steps } from '#domain/enquiry/steps.ts'
import { ApiError } from '../api/api-error.ts'
import { sendLead } from '../api/enquiry-api.ts'
import type { FormEvent } from './form-state.ts'

/** Sends the finished enquiry and says what came of it. */
export async function sendEnquiry(
  enquiry: Enquiry,
  category: Area,
  subId: string | undefined,
): Promise<FormEvent> {
  const { answers, standing, key } = enquiry
  const address = verifiedAddress(answers, standing)
  try {
    const request = requestFromAnswers(answers, { subId, category, ...address })
    const { id } = await sendLead(request, key)
    return { type: 'sent', leadId: id, subId }
  } catch (error) {
    const errors = fieldErrors(error)
    const step = stepWith(errors) ?? enquiry.step
    return { type: 'failed-to-send', errors, step, notice: noticeOf(error) }
  }
}

/** Who has to wait is told how long, in the server's words. */
function noticeOf(error: unknown): Notice {
  const detail = error instanceof ApiError && error.status === 429 && error.problem.detail
  return detail ? { ...submissionNotice, detail, isSticky: true } : submissionNotice
}

function fieldErrors(error: unknown): FieldErrors {
  const problems = (error instanceof ApiError && error.problem.errors) || []
  return Object.fromEntries(
    problems.flatMap(({ field, message }) => {
      const control = fields.find((name) => requestField(name) === field)
      return control ? [[control, message]] : []
    }),
  )
}

function stepWith(errors: FieldErrors): StepNumber | undefined {
  const index = steps.findIndex((step) => step.fields.some((field) => errors[field]))
  return index === -1 ? undefined : (index as StepNumber)
}
