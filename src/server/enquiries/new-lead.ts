import { hash, randomUUIDv7 } from 'node:crypto'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/enquiry.ts'
import { phoneNumber } from '#domain/enquiry/phone.ts'
import { tidyLine } from '#domain/enquiry/tidy-answers.ts'
import { openedAt } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import { plainLine } from '#domain/text/plain-line.ts'
import { withAsciiDomain } from '#server/platform/email-address.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'

/** An enquiry whose steps have all been checked. */
export interface CompleteEnquiry {
  readonly area: Area
  readonly answers: Answers
  /** The chosen program, as offered when the answers were checked. */
  readonly program: Program
  readonly addressVerified: boolean
  readonly zipPlus4: string | undefined
  readonly subId: string | undefined
}

export interface Visitor {
  readonly ip: string
  readonly userAgent: string
  /** The URL of the form's page, without its query. */
  readonly pageUrl: string
  /** True if the browser asks not to sell or share the visitor's data. */
  readonly gpc: boolean
  /** How long the page had been open, as the browser reports it, in milliseconds. */
  readonly openFor: number | undefined
}

const maxHeaderLength = 500

/** Makes a lead, with the proof of consent, from a complete enquiry. Throws if the answers were not checked before. */
export function makeNewLead({
  clock,
  disclosure,
}: {
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly disclosure: string
}) {
  const disclosureHash = hash('sha256', disclosure)
  return (enquiry: CompleteEnquiry, visitor: Visitor): Lead => {
    const { area, answers, program, addressVerified, zipPlus4, subId } = enquiry
    const phone = phoneNumber(answers.phone)
    if (!phone) throw new LoggableError('the enquiry was not checked: its phone number is invalid')
    const now = clock()
    return {
      id: randomUUIDv7(),
      receivedAt: now,
      area,
      subId: subId ?? null,
      firstName: tidyLine(answers.firstName),
      lastName: tidyLine(answers.lastName),
      phone,
      email: withAsciiDomain(tidyLine(answers.email)),
      street: tidyLine(answers.address),
      city: tidyLine(answers.city),
      state: answers.state.trim().toUpperCase(),
      zip: answers.zip.trim(),
      zipPlus4: zipPlus4 ?? null,
      addressVerified,
      educationLevel: Number(answers.previousEducation),
      graduatingYear: Number(answers.graduatingYear),
      program,
      startDateId: answers.startDate,
      gpc: visitor.gpc,
      openedAt: openedAt(visitor.openFor, now),
      consent: {
        text: disclosure,
        textHash: disclosureHash,
        at: now,
        ip: visitor.ip,
        userAgent: plainLine(visitor.userAgent.slice(0, maxHeaderLength)),
        pageUrl: plainLine(visitor.pageUrl.slice(0, maxHeaderLength)),
      },
    }
  }
}

/**
 * Whether the browser asks not to sell or share the visitor's data (Global Privacy Control). Only the value "1" counts,
 * and if there are several headers, a single "1" is enough:
 * https://w3c.github.io/gpc/#the-sec-gpc-header-field-for-http-requests
 * @param secGpc the header's value; several headers are joined with commas
 */
export const isGpc = (secGpc: string | undefined): boolean =>
  secGpc?.split(',').some((value) => value.trim() === '1') ?? false

export const asksNotToSell = (head: RequestHead): boolean => isGpc(head.header('sec-gpc'))
