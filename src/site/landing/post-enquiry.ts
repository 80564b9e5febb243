import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import * as v from 'valibot'
import {
  changedDisclosureMessage,
  formatRateLimitMessage,
  makeAddressNotice,
  makeRateLimitNotice,
  notStoredNotice,
} from '#content/messages.ts'
import {
  areaButton,
  attributionField,
  disclosureField,
  honeypotField,
} from '#contract/api-constants.ts'
import { visitIdPattern } from '#contract/visit-report.ts'
import { parseArea } from '#domain/area.ts'
import { findOfferedPrograms, findProgram } from '#domain/catalogue/catalogue.ts'
import { findAddressVerification, zipPlus4Pattern } from '#domain/enquiry/address.ts'
import {
  advancePostedStep,
  type PostedNavigation,
  readQuestionReply,
} from '#domain/enquiry/advance-step.ts'
import { type Answers, emptyAnswers, fields, hasErrors } from '#domain/enquiry/answers.ts'
import { type Enquiry, type StepNumber, steps, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { renameFormerControls } from '#domain/enquiry/former-names.ts'
import { listBrokenRules, makeRuleContext, normalizeAnswers } from '#domain/enquiry/rules.ts'
import { findCampaign, findSource, formatAttribution } from '#domain/lead/attribution.ts'
import { parseAttribution } from '#server/enquiries/attribution.ts'
import type { UnstoredEnquiry } from '#server/enquiries/submit-enquiry.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { PostedFormResult } from '#site/enquiry/form-state.ts'
import type { SiteServices } from '#site/site-services.ts'

/** The hidden fields of a posted form. A missing or malformed field gets the value of a new form. */
const hiddenFields = v.object({
  step: v.fallback(v.pipe(v.string(), v.picklist(['0', '1', '2', '3']), v.transform(Number)), 0),
  checkedFor: v.fallback(v.string(), ''),
  checkedBy: v.fallback(v.picklist(['nobody', 'check', 'hand']), 'nobody'),
  zipPlus4: v.fallback(v.pipe(v.string(), v.regex(zipPlus4Pattern)), ''),
  key: v.fallback(v.pipe(v.string(), v.uuid(), v.toLowerCase()), ''),
  questionedContact: v.fallback(v.string(), ''),
  visit: v.fallback(v.optional(v.pipe(v.string(), v.regex(visitIdPattern))), undefined),
  startedAt: v.fallback(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
    undefined,
  ),
  [honeypotField]: v.fallback(v.string(), ''),
  [attributionField]: v.fallback(v.optional(v.string()), undefined),
  [disclosureField]: v.fallback(v.optional(v.string()), undefined),
})

interface EnquiryPost extends PostedNavigation {
  readonly enquiry: Enquiry
  readonly attribution: string | undefined
  /** The id of the disclosure that the form showed. */
  readonly disclosureId: string | undefined
  /** Whether the post comes from a form that the server has rendered. */
  readonly isOfForm: boolean
}

/** @param now when the form was posted, in epoch milliseconds */
function parseEnquiryPost(form: Readonly<Record<string, unknown>>, now: number): EnquiryPost {
  const { step, checkedFor, checkedBy, key, startedAt, visit, ...rest } = v.parse(
    hiddenFields,
    form,
  )
  const { zipPlus4, questionedContact } = rest
  // The first post of a form starts the enquiry.
  const isStart = step === 0 && startedAt === undefined
  return {
    enquiry: {
      step: step as StepNumber,
      answers: parseAnswers(form),
      addressCheck: { checkedFor, by: checkedBy, zipPlus4 },
      key: key || randomUUID(),
      questionedContact,
      startedAt: isStart ? now : startedAt,
      visit: visit ?? (isStart ? randomBytes(16).toString('hex') : undefined),
      honeypot: rest[honeypotField],
    },
    attribution: rest[attributionField],
    disclosureId: rest[disclosureField],
    isOfForm: key !== '',
    // A link to another area's programs brings the answers along.
    move: form[areaButton] ? 'stay' : form.move === 'back' ? 'back' : 'next',
    reply: readQuestionReply((control) => form[control]),
  }
}

function parseAnswers(form: Readonly<Record<string, unknown>>): Answers {
  const named = renameFormerControls(form)
  const texts = Object.fromEntries(
    fields.flatMap((field) => {
      const value = named[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
  return normalizeAnswers({ ...emptyAnswers, ...texts })
}

/**
 * Advances the posted form by a step, and stores the enquiry after the last step.
 * @param send replies with the form's page
 */
export async function postEnquiry(
  services: SiteServices,
  c: Context,
  send: (posted: PostedFormResult, attribution: string, status: 200 | 422 | 429 | 503) => Response,
): Promise<Response> {
  const head = toRequestHead(c)
  if (!services.isSameOrigin(head)) {
    return c.text('Please fill in the form on our own site.', 403)
  }
  const area = parseArea(c.req.param('id'))
  const body = await c.req.parseBody().catch(() => ({}))
  const form = parseEnquiryPost(body, services.clock())
  const attribution = parseAttribution(head, form.attribution)
  const show = (posted: PostedFormResult, status: 200 | 422 | 429 | 503) => {
    const isCurrent = services.isDisclosureCurrent(form.disclosureId, form.isOfForm)
    const shown = isCurrent ? posted : withoutConsent(posted)
    return send(
      shown,
      attribution ? formatAttribution(attribution) : '',
      status === 200 && hasErrors(shown.errors) ? 422 : status,
    )
  }
  // The catalogue is read once, because an edited catalogue may replace it during the address lookup.
  const offeredPrograms = findOfferedPrograms(services.programs(), area)
  const currentYear = services.currentYear()
  const ruleContext = makeRuleContext(offeredPrograms, currentYear, form.enquiry.answers)
  const advanced = await advancePostedStep(form.enquiry, form, {
    ruleContext,
    services: services.limitAddressServices(head, services.addressServices),
  })
  const { enquiry, errors, fault, question } = advanced
  const program = findProgram(offeredPrograms, enquiry.answers.programId)
  const measure = (to: StepNumber) => {
    const { startedAt, visit: id } = enquiry
    if (startedAt === undefined || id === undefined) return
    services.visitReports.receivePostedStep(head, {
      id,
      area,
      startedAt,
      from: form.enquiry.step,
      to,
      program: program?.id ?? null,
      affiliate: services.affiliate.findId(c) ?? null,
      source: findSource(attribution),
      campaign: findCampaign(attribution),
      refused: listBrokenRules(errors, ruleContext),
    })
  }
  if (!advanced.isComplete || program === undefined) {
    measure(enquiry.step)
    const needsCorrection = hasErrors(errors) || fault !== undefined
    const notice = fault && makeAddressNotice(fault)
    return show({ enquiry, errors, notice, question }, needsCorrection ? 422 : 200)
  }

  const showUnstored = ({ outcome, retryAfterSeconds }: UnstoredEnquiry) => {
    c.header('Retry-After', String(retryAfterSeconds))
    const refused = makeRateLimitNotice(formatRateLimitMessage(retryAfterSeconds))
    return outcome === 'refused'
      ? show({ enquiry, errors, notice: refused }, 429)
      : show({ enquiry, errors, notice: notStoredNotice }, 503)
  }
  const disclosure = await services.findSeenDisclosure(form.disclosureId, form.isOfForm)
  if (disclosure === undefined) return show({ enquiry, errors }, 422)
  if (typeof disclosure === 'object') return showUnstored(disclosure)
  const { answers, addressCheck, key, honeypot, startedAt } = enquiry
  const address = findAddressVerification(answers, addressCheck)
  const subId = services.affiliate.findId(c)
  const filledInMs = startedAt && services.clock() - startedAt
  const evidence = { honeypot, filledInMs, network: services.findNetworkLoad(head) }
  const submitted = await services.submit(
    head,
    {
      area,
      answers,
      program,
      ...address,
      subId,
      attribution,
      evidence,
      device: 'none',
      disclosure,
    },
    key,
  )
  measure(submitted.outcome === 'stored' ? thankYouStep : enquiry.step)
  if (submitted.outcome === 'stored') {
    const { id } = submitted.result
    services.thankYouCookie.set(c, id)
    // A redirect prevents a reload from sending the enquiry again.
    return c.redirect(makeThankYouUrl(c, id, answers.programId), 303)
  }
  return showUnstored(submitted)
}

/** Unchecks the consent box, because the visitor has agreed to another text than the one that the page shows. */
function withoutConsent({ enquiry, errors, ...posted }: PostedFormResult): PostedFormResult {
  const { answers, step } = enquiry
  const isShown = steps[step]?.id === 'program' && answers.confirmation !== ''
  return {
    ...posted,
    enquiry: { ...enquiry, answers: { ...answers, confirmation: '' } },
    errors: isShown ? { ...errors, confirmation: changedDisclosureMessage } : errors,
  }
}

export const programParam = 'program'

/** The query parameter with the lead's id in the URL of the thank-you page without JavaScript. */
export const receivedLeadParam = 'received'

/** Returns the page's own URL, which keeps an affiliate id, plus the parameters of the thank-you page. */
function makeThankYouUrl(c: Context, leadId: string, programId: string): string {
  const { searchParams } = new URL(c.req.url)
  searchParams.set(receivedLeadParam, leadId)
  searchParams.set(programParam, programId)
  // The request's own path would be unsafe in a redirect: browsers read `/\host` as another site.
  const id = c.req.param('id')
  return `/${id === undefined ? '' : encodeURIComponent(id)}?${searchParams}`
}
