import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { AcceptEnquiry, AcceptedLead } from '../use-cases/accept-enquiry.ts'
import type { CompleteEnquiry, NewLead } from '../use-cases/new-lead.ts'
import type { VisitorIp } from './visitor-ip.ts'

interface SubmitPorts {
  readonly acceptEnquiry: AcceptEnquiry
  readonly newLead: NewLead
  readonly visitorIp: VisitorIp
  readonly siteOrigin: string
  readonly log: Logger
  readonly onAccepted: (accepted: AcceptedLead) => void
}

/** Stores a complete enquiry that came by either door, API or posted form. Undefined where it could not be stored. */
export function makeSubmitEnquiry(ports: SubmitPorts) {
  const { acceptEnquiry, newLead, visitorIp, siteOrigin, log, onAccepted } = ports
  return async (
    c: Context,
    enquiry: CompleteEnquiry,
    idempotencyKey: string,
  ): Promise<AcceptedLead | undefined> => {
    const lead = newLead(enquiry, {
      ip: visitorIp(c),
      userAgent: c.req.header('user-agent') ?? '',
      pageUrl: `${siteOrigin}${pagePath(c, enquiry.area)}`,
    })
    try {
      const accepted = await acceptEnquiry(lead, idempotencyKey)
      onAccepted(accepted)
      log.info(
        { leadId: accepted.id, repeated: accepted.repeated, duplicateOf: accepted.duplicateOf },
        'lead accepted',
      )
      return accepted
    } catch (error) {
      log.error({ err: error }, 'lead not stored: the visitor was told so')
      return undefined
    }
  }
}

export type SubmitEnquiry = ReturnType<typeof makeSubmitEnquiry>

/** The page that the form stood on, as the browser names it, without its query; else the area's own. */
function pagePath(c: Context, area: string): string {
  const referer = c.req.header('referer') ?? ''
  if (URL.canParse(referer) && new URL(referer).host === new URL(c.req.url).host) {
    return new URL(referer).pathname
  }
  return area === 'general' ? '/' : `/${area}`
}
