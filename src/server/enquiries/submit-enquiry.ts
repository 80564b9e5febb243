import type { Logger } from 'pino'
import { type AbuseEvidence, findSignals, type Signal } from '#domain/abuse/signals.ts'
import { type Area, areaPath } from '#domain/area.ts'
import { cannotSubmit } from '#server/platform/faults/sanitize-error.ts'
import type { OriginOf } from '#server/platform/http/origin.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { isLoopback, type VisitorIp } from '#server/platform/http/visitor-ip.ts'
import { FailureLog } from '#server/platform/observability/failure-log.ts'
import { type AcceptEnquiry, type AcceptedLead, IntakeFullError } from './accept-enquiry.ts'
import type { CompleteEnquiry, NewLead } from './new-lead.ts'
import { asksNotToSell } from './privacy-signal.ts'

interface SubmitPorts {
  readonly acceptEnquiry: AcceptEnquiry
  readonly newLead: NewLead
  readonly visitorIp: VisitorIp
  readonly originOf: OriginOf
  readonly log: Logger
  readonly onAccepted: (accepted: AcceptedLead, signals: readonly Signal[]) => void
  readonly onNotTaken: (why: 'not-stored' | 'busy') => void
  readonly isMailDisposable: (email: string) => boolean
}

/** A complete enquiry, and how it came. */
export interface SentEnquiry extends CompleteEnquiry {
  readonly evidence: Omit<AbuseEvidence, 'isMailDisposable'>
  /** How long the page had been open, as the browser says it, in milliseconds. */
  readonly openFor?: number | undefined
}

export type Submitted =
  | { readonly outcome: 'stored'; readonly lead: AcceptedLead }
  /** Too many at once: the same again will do so much later. */
  | { readonly outcome: 'busy'; readonly retryAfterSeconds: number }
  /** Too many from the visitor's network: nothing was stored. */
  | { readonly outcome: 'refused'; readonly retryAfterSeconds: number }
  /** It may have been stored all the same; the same key again settles it. */
  | { readonly outcome: 'failed'; readonly retryAfterSeconds: number }

/** A database that restarts is back by then; a disk that is full may take the operator longer. */
const failedRetrySeconds = 5

/** Stores a complete enquiry that came by either door, API or posted form. */
export function makeSubmitEnquiry(ports: SubmitPorts) {
  const { acceptEnquiry, newLead, visitorIp, originOf, log, onAccepted, isMailDisposable } = ports
  const failureLog = new FailureLog(log, {
    begins: cannotSubmit,
    ends: 'visitors can submit enquiries again',
  })
  return async (
    head: RequestHead,
    enquiry: SentEnquiry,
    idempotencyKey: string,
  ): Promise<Submitted> => {
    const ip = visitorIp(head)
    const origin = originOf(head)
    const lead = newLead(enquiry, {
      ip,
      userAgent: head.header('user-agent') ?? '',
      pageUrl: `${origin}${pagePath(head, origin, enquiry.area)}`,
      gpc: asksNotToSell(head),
      openFor: enquiry.openFor,
    })
    const { filledInMs, ...evidence } = enquiry.evidence
    const signals = findSignals({
      ...evidence,
      filledInMs: isLoopback(ip) ? undefined : filledInMs,
      isMailDisposable: isMailDisposable(lead.email),
    })
    try {
      const accepted = await acceptEnquiry(lead, idempotencyKey, signals)
      onAccepted(accepted, signals)
      log.info(
        {
          leadId: accepted.id,
          repeated: accepted.repeated,
          duplicateOf: accepted.duplicateOf,
          corrects: accepted.corrects,
          signals,
        },
        'lead accepted',
      )
      failureLog.succeeded()
      return { outcome: 'stored', lead: accepted }
    } catch (error) {
      failureLog.failed(error)
      const isFull = error instanceof IntakeFullError
      ports.onNotTaken(isFull ? 'busy' : 'not-stored')
      return isFull
        ? { outcome: 'busy', retryAfterSeconds: 1 }
        : { outcome: 'failed', retryAfterSeconds: failedRetrySeconds }
    }
  }
}

export type SubmitEnquiry = ReturnType<typeof makeSubmitEnquiry>

/** The page that the form stood on, as the browser names it, without its query; else the area's own. */
function pagePath(head: RequestHead, origin: string, area: Area): string {
  const referer = URL.parse(head.header('referer') ?? '')
  if (referer === null) return areaPath(area)
  const ownHosts = [head.header('host'), new URL(origin).host]
  if (ownHosts.includes(referer.host)) return referer.pathname
  return areaPath(area)
}
