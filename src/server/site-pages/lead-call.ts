import type { Challenge } from 'altcha-lib'
import * as v from 'valibot'
import { tooManyEnquiries } from '#content/messages.ts'
import {
  answersFromRequest,
  type LeadReply,
  leadRequest,
  requestField,
} from '#contract/lead-request.ts'
import { honeypotField, idempotencyHeader } from '#contract/own-api.ts'
import type { FieldProblem } from '#contract/problem.ts'
import { findProgram, type Program } from '#domain/catalogue/catalogue.ts'
import type { Answers, Field } from '#domain/enquiry/enquiry.ts'
import { type Facts, stepErrors } from '#domain/enquiry/rules.ts'
import { steps } from '#domain/enquiry/steps.ts'
import type { NetworkCheck } from '#server/enquiries/proof-of-work.ts'
import type { SubmitEnquiry, Submitted } from '#server/enquiries/submit-enquiry.ts'
import {
  jsonReply,
  problemReply,
  type Reply,
  withRetryAfter,
} from '#server/platform/http/replies.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { readJson, unprocessable } from './api.ts'
import { cleanSubId } from './cookies.ts'

export interface LeadCallPorts {
  readonly programs: () => readonly Program[]
  readonly currentYear: () => number
  readonly submit: SubmitEnquiry
  readonly networkCheck: NetworkCheck
  /** Called for each API call that is refused before its lead is stored. */
  readonly onTurnedAway: (why: 'invalid' | 'challenge') => void
}

/** The wait for a client that cannot solve the challenge. */
const unprovenRetrySeconds = 60

const uuid = v.pipe(v.string(), v.uuid())

/** Answers `POST /api/leads`: 201 only after the lead is on disk (reading 10). */
export function makeLeadCall(ports: LeadCallPorts) {
  const { programs, currentYear, submit, networkCheck, onTurnedAway } = ports
  const turnAway = (why: 'invalid' | 'challenge', reply: Reply): Reply => {
    onTurnedAway(why)
    return reply
  }
  return async (head: RequestHead, text: string): Promise<Reply> => {
    const key = v.safeParse(uuid, head.header(idempotencyHeader.toLowerCase()))
    if (!key.success) return turnAway('invalid', noKey)
    const body = readJson(head, text, leadRequest, bodyField)
    if (!body.ok) return turnAway('invalid', body.reply)

    const answers = answersFromRequest(body.value)
    // The catalogue is read once, because an edited catalogue may replace it during the checks.
    const program = findProgram(programs(), answers.desiredProgram)
    const isOffered = () => program !== undefined
    const errors = allErrors(answers, { currentYear: currentYear(), isOffered })
    if (errors.length > 0 || program === undefined) {
      return turnAway('invalid', unprocessable(errors))
    }

    const {
      category: area,
      subId,
      addressVerified,
      zipPlus4,
      filledInMs,
      altcha,
      device,
    } = body.value
    const idempotencyKey = key.output.toLowerCase()
    const proof = await networkCheck.prove(head, { idempotencyKey, area, answers }, altcha)
    if (proof.network === 'busy') return turnAway('challenge', askForProof(proof.challenge))

    const { network } = proof
    const evidence = { honeypot: body.value[honeypotField], filledInMs, network }
    const submitted = await submit(
      head,
      {
        ...{ area, answers, program, addressVerified, zipPlus4, evidence, device },
        subId: cleanSubId(subId),
        openFor: filledInMs,
      },
      idempotencyKey,
    )
    return replyTo(submitted)
  }
}

export type LeadCall = ReturnType<typeof makeLeadCall>

function replyTo(submitted: Submitted): Reply {
  switch (submitted.outcome) {
    case 'stored': {
      const { id, repeated } = submitted.lead
      return jsonReply(repeated ? 200 : 201, { id } satisfies LeadReply)
    }
    case 'busy':
      return withRetryAfter(submitted.retryAfterSeconds, tooManyAtOnce)
    case 'refused': {
      const { retryAfterSeconds } = submitted
      return withRetryAfter(
        retryAfterSeconds,
        problemReply(429, tooManyEnquiries(retryAfterSeconds)),
      )
    }
    case 'failed':
      return withRetryAfter(submitted.retryAfterSeconds, notStored)
  }
}

const noKey = problemReply(400, `Send a UUID in the header ${idempotencyHeader}.`)

const tooManyAtOnce = problemReply(
  503,
  'Too many enquiries arrive at once. Send this enquiry again in a second, with the same key.',
)

const notStored = problemReply(
  503,
  'The enquiry could not be stored. Send the enquiry again with the same key.',
)

const askForProof = (challenge: Challenge): Reply =>
  withRetryAfter(
    unprovenRetrySeconds,
    problemReply(429, tooManyEnquiries(unprovenRetrySeconds), { challenge }),
  )

function allErrors(answers: Answers, facts: Facts): FieldProblem[] {
  const errors = Object.assign({}, ...steps.map((step) => stepErrors(step, answers, facts)))
  return Object.entries(errors).map(([control, message]) => ({
    field: requestField(control as Field),
    message: String(message),
  }))
}

const bodyField = (issue: v.BaseIssue<unknown>): string =>
  (v.getDotPath(issue) ?? 'body').replace(/^lead\./, '')
