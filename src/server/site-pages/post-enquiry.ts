import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import * as v from 'valibot'
import { makeAddressNotice, makeRateLimitNotice, notStoredNotice } from '#content/messages.ts'
import { attributionField, honeypotField } from '#contract/api-constants.ts'
import { type Area, parseArea } from '#domain/area.ts'
import { findOfferedPrograms, findProgram } from '#domain/catalogue/catalogue.ts'
import { toVerifiedAddress, zipPlus4Pattern } from '#domain/enquiry/address.ts'
import {
  advancePostedStep,
  type PostedNavigation,
  readQuestionReply,
} from '#domain/enquiry/advance-step.ts'
import {
  type Answers,
  type Enquiry,
  emptyAnswers,
  fields,
  hasErrors,
  type StepNumber,
} from '#domain/enquiry/enquiry.ts'
import { normalizeAnswers } from '#domain/enquiry/normalize-answers.ts'
import { listRefusals, makeFormContext } from '#domain/enquiry/rules.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import { findCampaign, findSource, formatAttribution } from '#domain/lead/attribution.ts'
import { parseAttribution } from '#server/enquiries/attribution.ts'
import { limitBody, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { PostedEnquiry } from '#site/enquiry/form-state.ts'
import type { SiteServices } from './site-services.ts'

const twoLetters = v.fallback(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), '')

/** The hidden fields of a posted form's step; missing or malformed values count as the first step. */
const hiddenFields = v.object({
  step: v.fallback(v.pipe(v.string(), v.picklist(['0', '1', '2', '3']), v.transform(Number)), 0),
  checkedFor: v.fallback(v.string(), ''),
  checkedBy: v.fallback(v.picklist(['nobody', 'check', 'hand']), 'nobody'),
  zipPlus4: v.fallback(v.pipe(v.string(), v.regex(zipPlus4Pattern)), ''),
  zipState: twoLetters,
  toldState: twoLetters,
  key: v.fallback(v.pipe(v.string(), v.uuid(), v.toLowerCase()), ''),
  askedAbout: v.fallback(v.string(), ''),
  visit: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{32}$/))), undefined),
  startedAt: v.fallback(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
    undefined,
  ),
  [honeypotField]: v.fallback(v.string(), ''),
  [attributionField]: v.fallback(v.optional(v.string()), undefined),
})

export interface PostedForm extends PostedNavigation {
  readonly enquiry: Enquiry
  readonly attribution: string | undefined
}

/**
 * Reads a posted form.
 *
 * @param newKey makes the enquiry's Idempotency-Key at its first post
 */
function parsePostedForm(
  form: Readonly<Record<string, unknown>>,
  newKey: () => string,
): PostedForm {
  const { step, checkedFor, checkedBy, key, startedAt, visit, ...rest } = v.parse(
    hiddenFields,
    form,
  )
  const { zipPlus4, zipState, toldState, askedAbout } = rest
  return {
    enquiry: {
      step: step as StepNumber,
      answers: parseAnswers(form),
      addressCheck: { checkedFor, by: checkedBy, zipPlus4, zipState, toldState },
      key: key || newKey(),
      askedAbout,
      startedAt,
      visit,
      honeypot: rest[honeypotField],
    },
    attribution: rest[attributionField],
    move: form.move === 'back' ? 'back' : 'next',
    reply: readQuestionReply((control) => form[control]),
  }
}

function parseAnswers(form: Readonly<Record<string, unknown>>): Answers {
  const texts = Object.fromEntries(
    fields.flatMap((field) => {
      const value = form[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
  return normalizeAnswers({ ...emptyAnswers, ...texts })
}

interface PostReplies {
  readonly show: (
    c: Context,
    area: Area,
    posted: PostedEnquiry,
    attribution: string,
    status: 200 | 422 | 429 | 503,
  ) => Response | Promise<Response>
  readonly thank: (c: Context, leadId: string, programId: string) => Response
}

export function makePostEnquiryHandlers(services: SiteServices, replies: PostReplies) {
  return createFactory().createHandlers(
    refuseEncodedBody((c) => c.text('Send the form without a Content-Encoding.', 415)),
    limitBody((c) => c.text('The form is too large.', 413)),
    async (c) => {
      const head = toRequestHead(c)
      if (!services.isSameOrigin(head)) {
        return c.text('Please fill in the form on our own site.', 403)
      }
      const area = parseArea(c.req.param('id'))
      const body = await c.req.parseBody().catch(() => ({}))
      const form = withStartTime(parsePostedForm(body, randomUUID), services.clock)
      const attribution = parseAttribution(head, form.attribution)
      const show = (posted: PostedEnquiry, status: 200 | 422 | 429 | 503) =>
        replies.show(c, area, posted, attribution ? formatAttribution(attribution) : '', status)
      // The catalogue is read once, because an edited catalogue may replace it during the address lookup.
      const offeredPrograms = findOfferedPrograms(services.programs(), area)
      const facts = makeFormContext(offeredPrograms, services.currentYear(), form.enquiry.answers)
      const addressServices = services.limitedServices(head, services.addressServices)
      const taken = await advancePostedStep(form.enquiry, form, {
        facts,
        services: addressServices,
      })
      const { enquiry, errors, fault, question } = taken
      const program = findProgram(offeredPrograms, enquiry.answers.desiredProgram)
      const measure = (to: StepNumber) => {
        const { startedAt, visit: id } = enquiry
        if (startedAt === undefined || id === undefined) return
        services.visitReports.takePosted(head, {
          ...{ id, area, startedAt, from: form.enquiry.step, to },
          program: program?.id ?? null,
          affiliate: services.affiliate.idOf(c) ?? null,
          source: findSource(attribution),
          campaign: findCampaign(attribution),
          refused: listRefusals(errors),
        })
      }
      if (!taken.isComplete || program === undefined) {
        measure(enquiry.step)
        const needsCorrection = hasErrors(errors) || fault !== undefined
        const notice = fault && makeAddressNotice(fault)
        return show({ enquiry, errors, notice, question }, needsCorrection ? 422 : 200)
      }

      const { answers, addressCheck, key, honeypot, startedAt } = enquiry
      const address = toVerifiedAddress(answers, addressCheck)
      const subId = services.affiliate.idOf(c)
      const filledInMs = startedAt && services.clock() - startedAt
      const evidence = { honeypot, filledInMs, network: services.networkCheck.loadOf(head) }
      const submitted = await services.submit(
        head,
        { area, answers, program, ...address, subId, attribution, evidence, device: 'none' },
        key,
      )
      measure(submitted.outcome === 'stored' ? thankYouStep : enquiry.step)
      if (submitted.outcome === 'stored') {
        return replies.thank(c, submitted.lead.id, answers.desiredProgram)
      }
      const { outcome, retryAfterSeconds } = submitted
      c.header('Retry-After', String(retryAfterSeconds))
      return outcome === 'refused'
        ? show({ enquiry, errors, notice: makeRateLimitNotice(retryAfterSeconds) }, 429)
        : show({ enquiry, errors, notice: notStoredNotice }, 503)
    },
  )
}

/** Takes the first post of a form without JavaScript as its start, and gives the visit an id. */
function withStartTime(form: PostedForm, clock: () => number): PostedForm {
  const { enquiry } = form
  if (enquiry.step !== 0 || enquiry.startedAt !== undefined) return form
  const visit = randomBytes(16).toString('hex')
  return { ...form, enquiry: { ...enquiry, startedAt: clock(), visit } }
}
