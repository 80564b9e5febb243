import { hash } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Logger } from 'pino'
import { type AbuseEvidence, findSignals, isSuspicious } from '#domain/abuse/signals.ts'
import { type Area, areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/answers.ts'
import type { Attribution } from '#domain/lead/attribution.ts'
import { findPageOpeningTime } from '#domain/lead/distributor-lead.ts'
import { makeDedupeKey } from '#domain/lead/duplicate.ts'
import type { Consent, Lead } from '#domain/lead/lead.ts'
import { toStoredAnswers } from '#domain/lead/stored-answers.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import type { Device } from '#domain/measuring/funnel.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { toAsciiDomain } from '#server/platform/email-address.ts'
import { describeStorageOutage } from '#server/platform/faults/sanitize-error.ts'
import type { OriginFinder } from '#server/platform/http/origin.ts'
import { hasGpcHeader, type RequestHead, readReferer } from '#server/platform/http/request-head.ts'
import { isLoopback, type VisitorIpFinder } from '#server/platform/http/visitor-ip.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { IntakeMetrics } from './intake-metrics.ts'
import { IntakeFullError, type LeadIntake } from './lead-intake.ts'
import type { StoreResult } from './store-arrivals.ts'

/** An enquiry whose steps have all been checked. */
export interface CheckedEnquiry {
  readonly area: Area
  readonly answers: Answers
  /** The chosen program, as offered when the answers were checked. */
  readonly program: Program
  readonly addressVerified: boolean
  readonly zipPlus4: string | undefined
  readonly subId: string | undefined
  readonly attribution: Attribution | null
  /** How long the page had been open, as the browser reports it, in milliseconds. */
  readonly pageOpenMs?: number | undefined
  /** The disclosure that the visitor saw; absent if it is the current one. */
  readonly disclosure?: string | undefined
  readonly evidence: Omit<AbuseEvidence, 'isMailDisposable'>
  /** The class of the visitor's device; absent if it is unknown. */
  readonly device?: Device | undefined
}

export type SubmitResult =
  | { readonly outcome: 'stored'; readonly result: StoreResult }
  | UnstoredEnquiry

export interface UnstoredEnquiry {
  readonly outcome: /** Too many enquiries are waiting. */
    | 'busy'
    /** The visitor's network has sent too many leads. */
    | 'refused'
    /** The lead may have been stored. Repeating the request with the same key is safe. */
    | 'failed'
  readonly retryAfterSeconds: number
}

/** The seconds until a visitor should try again; a database restart is over by then. */
export const failedRetrySeconds = 5

interface SubmitSettings {
  readonly intake: Pick<LeadIntake, 'accept'>
  readonly disclosure: () => string
  readonly clock: () => number
  readonly visitorIp: VisitorIpFinder
  readonly findOrigin: OriginFinder
  readonly log: Logger
  readonly metrics: Pick<IntakeMetrics, 'countAccepted' | 'countRefused' | 'timeAccept'>
  /** Called once for each lead with a delivery, after the lead is on disk. */
  readonly onDeliveryDue: () => void
}

/** Makes the function that stores a complete enquiry, for the API and for the form without JavaScript. */
export function makeEnquirySubmitter(settings: SubmitSettings) {
  const { intake, disclosure, clock, visitorIp, findOrigin, log, metrics, onDeliveryDue } = settings
  const failureLog = makeFailureLog(log, {
    begins: describeStorageOutage,
    ends: 'visitors can submit enquiries again',
  })
  return async (
    head: RequestHead,
    enquiry: CheckedEnquiry,
    idempotencyKey: string,
  ): Promise<SubmitResult> => {
    const ip = visitorIp(head)
    const origin = findOrigin(head)
    const visitor = {
      ip,
      userAgent: head.header('user-agent') ?? '',
      pageUrl: `${origin}${findPagePath(head, origin, enquiry.area)}`,
      gpc: hasGpcHeader(head),
    }
    const lead = makeLead(enquiry, visitor, clock(), enquiry.disclosure ?? disclosure())
    const { filledInMs, ...evidence } = enquiry.evidence
    const signals = findSignals({
      ...evidence,
      filledInMs: isLoopback(ip) ? undefined : filledInMs,
      isMailDisposable: isDisposableEmail(lead.email),
    })
    const isQuarantined = isSuspicious(signals)
    const dedupeKey = hash('sha256', makeDedupeKey(lead))
    try {
      // `accept` resolves when the lead is on disk; only then does the page show "Information Received".
      const { device = null } = enquiry
      const accepted = await metrics.timeAccept(() =>
        intake.accept({ lead, idempotencyKey, dedupeKey, signals, isQuarantined, device }),
      )
      const { id: leadId, found = [], ...result } = accepted
      const all = [...signals, ...found]
      if (!isSuspicious(all) && !result.repeated && result.duplicateOf === null) onDeliveryDue()
      metrics.countAccepted(accepted, all)
      log.info({ leadId, ...result, signals: all }, 'lead accepted')
      failureLog.succeeded()
      return { outcome: 'stored', result: accepted }
    } catch (error) {
      failureLog.failed(error)
      const isFull = error instanceof IntakeFullError
      metrics.countRefused(isFull ? 'busy' : 'not-stored')
      return isFull
        ? { outcome: 'busy', retryAfterSeconds: 1 }
        : { outcome: 'failed', retryAfterSeconds: failedRetrySeconds }
    }
  }
}

export type EnquirySubmitter = ReturnType<typeof makeEnquirySubmitter>

const maxHeaderLength = 500

/**
 * Turns a complete enquiry into a lead with a proof of consent.
 * @param visitor what the request says about the visitor; `pageUrl` is the form's page, without its query
 * @param now when the enquiry arrived, in epoch milliseconds
 * @param disclosure the text that the visitor has agreed to
 */
export function makeLead(
  enquiry: Omit<CheckedEnquiry, 'evidence'>,
  visitor: Pick<Lead, 'gpc'> & Pick<Consent, 'ip' | 'userAgent' | 'pageUrl'>,
  now: number,
  disclosure: string,
): Lead {
  const { area, answers, program, addressVerified, zipPlus4, subId, attribution } = enquiry
  const stored = toStoredAnswers(answers, program)
  if (!stored.phone)
    throw new LoggableError('the enquiry was not checked: its phone number is invalid')
  return {
    id: makeIdAt(now),
    receivedAt: now,
    area,
    subId: subId ?? null,
    ...stored,
    email: toAsciiDomain(stored.email),
    zipPlus4: zipPlus4 ?? null,
    addressVerified,
    gpc: visitor.gpc,
    openedAt: findPageOpeningTime(enquiry.pageOpenMs, now),
    attribution,
    consent: {
      text: disclosure,
      textHash: hash('sha256', disclosure),
      at: now,
      ip: visitor.ip,
      userAgent: toPlainLine(visitor.userAgent.slice(0, maxHeaderLength)),
      pageUrl: toPlainLine(visitor.pageUrl.slice(0, maxHeaderLength)),
    },
  }
}

/** Returns the path of the form's page from the Referer header, or else the area's path. */
function findPagePath(head: RequestHead, origin: string, area: Area): string {
  const referer = readReferer(head, origin)
  return referer?.isOwn ? referer.url.pathname : areaPath(area)
}

/** The 11,000 domains of disposable mail services, loaded when the first enquiry arrives. */
let disposableDomains: ReadonlySet<string> | undefined

/** Returns whether an email address belongs to a known disposable mail service or one of its subdomains. */
export function isDisposableEmail(email: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet()
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  for (;;) {
    if (disposableDomains.has(domain)) return true
    const dot = domain.indexOf('.')
    if (dot === -1) return false
    domain = domain.slice(dot + 1)
  }
}
