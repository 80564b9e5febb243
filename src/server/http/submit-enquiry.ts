import type { Context } from 'hono'
import type { Logger } from 'pino'
import { type Area, areaPath } from '#domain/area.ts'
import {
  type AcceptEnquiry,
  type AcceptedLead,
  IntakeFullError,
} from '../use-cases/accept-enquiry.ts'
import type { CompleteEnquiry, NewLead } from '../use-cases/new-lead.ts'
import { asksNotToSell } from './privacy-signal.ts'
import { StoringTrouble } from './storing-trouble.ts'
import type { VisitorIp } from './visitor-ip.ts'

interface SubmitPorts {
  readonly acceptEnquiry: AcceptEnquiry
  readonly newLead: NewLead
  readonly visitorIp: VisitorIp
  readonly siteOrigin: string
  readonly log: Logger
  readonly onAccepted: (accepted: AcceptedLead) => void
}

export type Submitted =
  | { readonly outcome: 'stored'; readonly lead: AcceptedLead }
  /** Too many at once: the same again will do so much later. */
  | { readonly outcome: 'busy'; readonly retryAfterSeconds: number }
  /** Too many from the visitor's network: nothing was stored. */
  | { readonly outcome: 'refused'; readonly retryAfterSeconds: number }
  /** It may have been stored all the same; the same key again settles it. */
  | { readonly outcome: 'failed' }

/** Stores a complete enquiry that came by either door, API or posted form. */
export function makeSubmitEnquiry(ports: SubmitPorts) {
  const { acceptEnquiry, newLead, visitorIp, siteOrigin, log, onAccepted } = ports
  const trouble = new StoringTrouble(log)
  return async (
    c: Context,
    enquiry: CompleteEnquiry,
    idempotencyKey: string,
  ): Promise<Submitted> => {
    const lead = newLead(enquiry, {
      ip: visitorIp(c),
      userAgent: c.req.header('user-agent') ?? '',
      pageUrl: `${siteOrigin}${pagePath(c, enquiry.area)}`,
      gpc: asksNotToSell(c),
    })
    try {
      const accepted = await acceptEnquiry(lead, idempotencyKey)
      onAccepted(accepted)
      log.info(
        { leadId: accepted.id, repeated: accepted.repeated, duplicateOf: accepted.duplicateOf },
        'lead accepted',
      )
      trouble.stored()
      return { outcome: 'stored', lead: accepted }
    } catch (error) {
      trouble.refused(error)
      return error instanceof IntakeFullError
        ? { outcome: 'busy', retryAfterSeconds: 1 }
        : { outcome: 'failed' }
    }
  }
}

export type SubmitEnquiry = ReturnType<typeof makeSubmitEnquiry>

/** The page that the form stood on, as the browser names it, without its query; else the area's own. */
function pagePath(c: Context, area: Area): string {
  const referer = URL.parse(c.req.header('referer') ?? '')
  if (referer !== null && referer.host === c.req.header('host')) return referer.pathname
  return areaPath(area)
}
