import type { Challenge } from 'altcha-lib'
import { type Notice, notStoredNotice, submissionNotice } from '#content/messages.ts'
import {
  type LeadReply,
  type LeadRequest,
  requestField,
  requestFromAnswers,
} from '#contract/lead-request.ts'
import type { honeypotField } from '#contract/own-api.ts'
import { verifiedAddress } from '#domain/enquiry/address.ts'
import { type Enquiry, type FieldErrors, fields } from '#domain/enquiry/enquiry.ts'
import { pointOut } from '#domain/enquiry/take-step.ts'
import { ApiError } from '../../api/api-error.ts'
import { sendLead } from '../../api/enquiry-api.ts'
import type { FormEvent } from '../step-logic/form-reducer.ts'
import { callCameThrough, isKeptFromCalling } from './is-kept-from-calling.ts'
import { tellSentKey } from './sent-key.ts'
import { forgetOpening } from './time-since-opening.ts'

type Sending = Pick<LeadRequest, 'category' | 'subId' | 'filledInMs' | typeof honeypotField>

/**
 * Sends the finished enquiry and says what came of it.
 * @throws where only the browser itself can still post it: see {@link isKeptFromCalling}
 */
export async function sendEnquiry(enquiry: Enquiry, sending: Sending): Promise<FormEvent> {
  const { answers, addressCheck, key } = enquiry
  const address = verifiedAddress(answers, addressCheck)
  try {
    const request = requestFromAnswers(answers, { ...sending, ...address })
    const { id } = await sendProven(request, key)
    callCameThrough()
    forgetOpening()
    tellSentKey(key)
    return {
      type: 'sent',
      leadId: id,
      subId: sending.subId,
      programId: answers.desiredProgram,
    }
  } catch (error) {
    if (!(error instanceof ApiError || navigator.onLine)) return { type: 'offline', enquiry }
    if (await isKeptFromCalling(error)) throw error
    const shown = pointOut(enquiry, fieldErrors(error))
    return { type: 'failed-to-send', ...shown, notice: noticeOf(error) }
  }
}

/** Who has to wait is told how long, in the server's words. */
function noticeOf(error: unknown): Notice {
  const detail = error instanceof ApiError && error.status === 429 && error.problem.detail
  if (detail) return { ...submissionNotice, detail, isSticky: true }
  return error instanceof ApiError && error.status >= 500 ? notStoredNotice : submissionNotice
}

const proofOf = async (challenge: Challenge): Promise<string> =>
  (await import('./proof-of-work/prove-work.ts')).proveWork(challenge)

/** Where much comes from the visitor's network the reply asks for some work; its script comes only then. */
async function sendProven(request: LeadRequest, key: string): Promise<LeadReply> {
  try {
    return await sendLead(request, key)
  } catch (error) {
    const challenge = error instanceof ApiError ? error.problem.challenge : undefined
    if (challenge === undefined) throw error
    const altcha = await proofOf(challenge).catch(() => undefined)
    // Who cannot prove anything waits, as the reply says.
    if (altcha === undefined) throw error
    return sendLead({ ...request, altcha }, key)
  }
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
