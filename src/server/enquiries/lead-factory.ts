import { hash } from 'node:crypto'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/answers.ts'
import type { Attribution } from '#domain/lead/attribution.ts'
import { findPageOpeningTime } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { toStoredAnswers } from '#domain/lead/stored-answers.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { toAsciiDomain } from '#server/platform/email-address.ts'

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
}

/** What the request says about the visitor. */
interface Visitor {
  readonly ip: string
  readonly userAgent: string
  /** The URL of the form's page, without its query. */
  readonly pageUrl: string
  /** True if the browser asks not to sell or share the visitor's data. */
  readonly gpc: boolean
}

const maxHeaderLength = 500

/**
 * Turns a complete enquiry into a lead with a proof of consent.
 * @param now when the enquiry arrived, in epoch milliseconds
 * @param disclosure the text that the visitor has agreed to
 */
export function makeLead(
  enquiry: CheckedEnquiry,
  visitor: Visitor,
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
