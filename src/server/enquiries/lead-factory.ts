import { hash } from 'node:crypto'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/enquiry.ts'
import { normalizeLine } from '#domain/enquiry/normalize-answers.ts'
import { parsePhoneNumber } from '#domain/enquiry/phone.ts'
import type { Attribution } from '#domain/lead/attribution.ts'
import { findPageOpeningTime } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { toAsciiDomain } from '#server/platform/email-address.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'

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

export interface SubmissionContext {
  readonly ip: string
  readonly userAgent: string
  /** The URL of the form's page, without its query. */
  readonly pageUrl: string
  /** True if the browser asks not to sell or share the visitor's data. */
  readonly gpc: boolean
}

/** `clock` returns epoch milliseconds. */
type LeadFactorySettings = Readonly<{ clock: () => number; disclosure: string }>

const maxHeaderLength = 500

/** Makes a function that turns a complete enquiry into a lead with a proof of consent. */
export function makeLeadFactory({ clock, disclosure }: LeadFactorySettings) {
  const disclosureHash = hash('sha256', disclosure)
  return (enquiry: CheckedEnquiry, submission: SubmissionContext): Lead => {
    const { area, answers, program, addressVerified, zipPlus4, subId, attribution } = enquiry
    const phone = parsePhoneNumber(answers.phone)
    if (!phone) throw new LoggableError('the enquiry was not checked: its phone number is invalid')
    const now = clock()
    return {
      id: makeIdAt(now),
      receivedAt: now,
      area,
      subId: subId ?? null,
      firstName: normalizeLine(answers.firstName),
      lastName: normalizeLine(answers.lastName),
      phone,
      email: toAsciiDomain(normalizeLine(answers.email)),
      street: normalizeLine(answers.address),
      city: normalizeLine(answers.city),
      state: answers.state.trim().toUpperCase(),
      zip: answers.zip.trim(),
      zipPlus4: zipPlus4 ?? null,
      addressVerified,
      educationLevel: Number(answers.previousEducation),
      graduatingYear: Number(answers.graduatingYear),
      program,
      startDateId: answers.startDate,
      gpc: submission.gpc,
      openedAt: findPageOpeningTime(enquiry.pageOpenMs, now),
      attribution,
      consent: {
        text: disclosure,
        textHash: disclosureHash,
        at: now,
        ip: submission.ip,
        userAgent: toPlainLine(submission.userAgent.slice(0, maxHeaderLength)),
        pageUrl: toPlainLine(submission.pageUrl.slice(0, maxHeaderLength)),
      },
    }
  }
}

/**
 * Returns whether the browser asks not to sell or share the visitor's data (Global Privacy Control). If a request has
 * several values of `Sec-GPC`, one "1" is enough: https://w3c.github.io/gpc/#the-sec-gpc-header-field-for-http-requests
 */
export const isGpcValue = (secGpc: string | undefined): boolean =>
  secGpc?.split(',').some((value) => value.trim() === '1') ?? false

export const hasGpcHeader = (head: RequestHead): boolean => isGpcValue(head.header('sec-gpc'))

/** Returns whether the browser sends Global Privacy Control or Do Not Track (reading 28). */
export const refusesTracking = (head: RequestHead): boolean =>
  hasGpcHeader(head) || head.header('dnt')?.trim() === '1'
