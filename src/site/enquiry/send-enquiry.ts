import {
  type FormNotice,
  makeRateLimitNotice,
  notSentNotice,
  notStoredNotice,
} from '#content/messages.ts'
import {
  affiliateCookie,
  type attributionField,
  type disclosureField,
  type honeypotField,
} from '#contract/api-constants.ts'
import { type LeadReply, type LeadRequest, toLeadRequest } from '#contract/lead-request.ts'
import { findAddressVerification } from '#domain/enquiry/address.ts'
import { goToFirstError } from '#domain/enquiry/advance-step.ts'
import { type FieldErrors, fields } from '#domain/enquiry/answers.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import { ApiError, sendLead } from './api-client.ts'
import type { EnquiryProps, FormAction } from './form-state.ts'
import { readCookie } from './read-cookie.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

let lastAffiliateId: string | undefined

/** Returns the affiliate id from its cookie or, if the visitor deleted the cookie, the last id read on the page. */
export function readAffiliateId(): string | undefined {
  lastAffiliateId = readCookie(affiliateCookie) ?? lastAffiliateId
  return lastAffiliateId
}

/** Makes a version 4 UUID. `crypto.randomUUID` is missing on a plain http page from another host. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const openedAtKey = 'enquiry-opened'

/** Returns the milliseconds since the page was opened, across reloads; undefined after a step without JavaScript. */
export function measureTimeSinceOpening({
  posted,
}: Pick<EnquiryProps, 'posted'>): number | undefined {
  const stored = readTabStorage(openedAtKey)
  if (stored === null && posted) return undefined
  const openedAt = stored ?? String(performance.timeOrigin)
  writeTabStorage(openedAtKey, openedAt)
  return Math.round(Math.max(performance.now(), Date.now() - Number(openedAt)))
}

let failedCalls = 0

export function resetFailedCallCount(): void {
  failedCalls = 0
}

/**
 * Returns whether something in the browser, such as an extension, seems to keep scripts from calling our server: after
 * three failed calls, because after one or two the visitor may only have a bad line.
 */
function isNetworkBlocked(error: unknown): boolean {
  // Our own 403 has a detail. A proxy that answers 403 would also refuse a form that the browser posts.
  if (error instanceof ApiError) return error.status === 403 && error.problem.detail !== undefined
  // fetch throws a TypeError if no response came.
  if (!(error instanceof TypeError)) return false
  failedCalls += 1
  return failedCalls > 2
}

type RequestDetails = Pick<
  LeadRequest,
  | 'category'
  | 'subId'
  | 'filledInMs'
  | 'device'
  | typeof honeypotField
  | typeof attributionField
  | typeof disclosureField
>

/** @throws if only the browser itself can still post the form: see {@link isNetworkBlocked} */
export async function sendEnquiry(enquiry: Enquiry, details: RequestDetails): Promise<FormAction> {
  const { answers, addressCheck, key } = enquiry
  const address = findAddressVerification(answers, addressCheck)
  try {
    const request = toLeadRequest(answers, { ...details, ...address })
    const { id } = await sendWithProof(request, key)
    resetFailedCallCount()
    writeTabStorage(openedAtKey, null)
    return {
      type: 'sent',
      leadId: id,
      subId: details.subId,
      programId: answers.programId,
      sent: { leadId: id, enquiry },
    }
  } catch (error) {
    if (!(error instanceof ApiError || navigator.onLine)) return { type: 'offline', enquiry }
    if (isNetworkBlocked(error)) throw error
    const shown = goToFirstError(enquiry, toFieldErrors(error))
    return { type: 'responded', response: { ...shown, notice: toNotice(error) } }
  }
}

function toNotice(error: unknown): FormNotice {
  const { status, problem } = error instanceof ApiError ? error : { status: 0, problem: {} }
  // The problem's detail says how long the visitor has to wait.
  if (status === 429 && problem.detail) return makeRateLimitNotice(problem.detail)
  return status >= 500 ? notStoredNotice : notSentNotice
}

/** Sends the enquiry, with a proof of work if the server asks for one. */
async function sendWithProof(request: LeadRequest, key: string): Promise<LeadReply> {
  try {
    return await sendLead(request, key)
  } catch (error) {
    const challenge = error instanceof ApiError ? error.problem.challenge : undefined
    if (challenge === undefined) throw error
    const altcha = await import('./solve-challenge.ts')
      .then(({ solveChallenge }) => solveChallenge(challenge))
      .catch(() => {
        // Without the proof, the visitor has to wait as long as the error says.
        throw error
      })
    return sendLead({ ...request, altcha }, key)
  }
}

function toFieldErrors(error: unknown): FieldErrors {
  const problems = (error instanceof ApiError && error.problem.errors) || []
  return Object.fromEntries(
    problems.flatMap(({ field, message }) => {
      const control = fields.find((name) => name === field)
      return control ? [[control, message]] : []
    }),
  )
}
