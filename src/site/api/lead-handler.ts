import type { Challenge } from 'altcha-lib'
import * as v from 'valibot'
import { formatRateLimitMessage } from '#content/messages.ts'
import {
  attributionField,
  disclosureField,
  type FieldProblem,
  honeypotField,
  idempotencyHeader,
} from '#contract/api-constants.ts'
import {
  type LeadReply,
  type LeadRequest,
  leadRequestSchema,
  toAnswers,
} from '#contract/lead-request.ts'
import { findProgram } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { findStepErrors, type RuleContext } from '#domain/enquiry/rules.ts'
import { parseAttribution } from '#server/enquiries/attribution.ts'
import type { SubmitResult } from '#server/enquiries/submit-enquiry.ts'
import {
  addRetryAfter,
  makeJsonReply,
  makeProblemReply,
  type Reply,
} from '#server/platform/http/replies.ts'
import { makeUnprocessableReply, parseRequest } from '#server/platform/http/request-body.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { normalizeSubId } from '#site/shell/cookies.ts'
import type { SiteServices } from '#site/site-services.ts'

/** How long a client that cannot solve the challenge has to wait. */
const unprovenRetrySeconds = 60

const uuid = v.pipe(v.string(), v.uuid())

/** Answers `POST /api/leads`: 201 only after the lead is on disk (reading 10). */
export function makeLeadHandler({
  programs,
  currentYear,
  submit,
  proofOfWork,
  findSeenDisclosure,
  countRefusedCall,
}: Pick<
  SiteServices,
  'programs' | 'currentYear' | 'submit' | 'proofOfWork' | 'findSeenDisclosure' | 'countRefusedCall'
>) {
  const refuse = (reason: 'invalid' | 'challenge', reply: Reply): Reply => {
    countRefusedCall(reason)
    return reply
  }
  return async (head: RequestHead, text: string): Promise<Reply> => {
    const key = v.safeParse(uuid, head.header(idempotencyHeader.toLowerCase()))
    if (!key.success) return refuse('invalid', noKey)
    const body = parseRequest(head, text, leadRequestSchema, toBodyField)
    if (!body.ok) return refuse('invalid', body.reply)

    const answers = toAnswers(body.value)
    // The catalogue is read once, because an edited catalogue may replace it during the checks.
    const program = findProgram(programs(), answers.programId)
    const isOffered = () => program !== undefined
    const errors = listErrors(body.value, answers, { currentYear: currentYear(), isOffered })
    if (errors.length > 0 || program === undefined) {
      return refuse('invalid', makeUnprocessableReply(errors))
    }

    const { category: area, addressVerified, zipPlus4, filledInMs, device, ...rest } = body.value
    // The form of release 0.3.0 always names its device.
    const disclosure = await findSeenDisclosure(rest[disclosureField], device !== undefined)
    if (typeof disclosure === 'object') return toReply(disclosure)
    if (disclosure === undefined) return refuse('invalid', unknownDisclosure)
    const idempotencyKey = key.output.toLowerCase()
    const proof = await proofOfWork.check(head, { area, answers }, idempotencyKey, rest.altcha)
    if (proof.network === 'busy') return refuse('challenge', makeChallengeReply(proof.challenge))

    const evidence = { honeypot: rest[honeypotField], filledInMs, network: proof.network }
    const submitted = await submit(
      head,
      {
        area,
        answers,
        program,
        addressVerified,
        zipPlus4,
        evidence,
        device,
        disclosure,
        subId: normalizeSubId(rest.subId),
        attribution: parseAttribution(head, rest[attributionField]),
        pageOpenMs: filledInMs,
      },
      idempotencyKey,
    )
    return toReply(submitted)
  }
}

function toReply(submitted: SubmitResult): Reply {
  if (submitted.outcome === 'stored') {
    const { id, repeated } = submitted.result
    return makeJsonReply(repeated ? 200 : 201, { id } satisfies LeadReply)
  }
  const { outcome, retryAfterSeconds } = submitted
  const refused = makeProblemReply(429, formatRateLimitMessage(retryAfterSeconds))
  return addRetryAfter(
    retryAfterSeconds,
    { busy: tooManyAtOnce, failed: notStored, refused }[outcome],
  )
}

const noKey = makeProblemReply(400, `Send a UUID in the header ${idempotencyHeader}.`)

/** After a 403 with a detail, the browser itself posts the form, and the visitor reads and accepts the current text. */
const unknownDisclosure = makeProblemReply(
  403,
  'The consent text beside the box has changed. Show the visitor the current text.',
)

const tooManyAtOnce = makeProblemReply(
  503,
  'Too many enquiries arrive at once. Send this enquiry again in a second, with the same key.',
)

const notStored = makeProblemReply(
  503,
  'The enquiry could not be stored. Send the enquiry again with the same key.',
)

const makeChallengeReply = (challenge: Challenge): Reply =>
  addRetryAfter(
    unprovenRetrySeconds,
    makeProblemReply(429, formatRateLimitMessage(unprovenRetrySeconds), { challenge }),
  )

/** Lists the errors of the answers that the request has. A page that was opened before an upgrade lacks new questions. */
function listErrors({ lead }: LeadRequest, answers: Answers, context: RuleContext): FieldProblem[] {
  const errors = Object.assign({}, ...steps.map((step) => findStepErrors(step, answers, context)))
  return Object.entries<string>(errors)
    .filter(([field]) => field in lead)
    .map(([field, message]) => ({ field, message }))
}

const toBodyField = (issue: v.BaseIssue<unknown>): string =>
  (v.getDotPath(issue) ?? 'body').replace(/^lead\./, '')
