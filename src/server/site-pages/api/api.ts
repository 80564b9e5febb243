import { Hono } from 'hono'
import type { RateLimits } from '#server/enquiries/limits/rate-limits.ts'
import type { IsSameOrigin } from '#server/platform/http/origin.ts'
import { problem, send } from '#server/platform/http/replies.ts'
import { limitBody, mostBodyBytes, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { Xsrf } from '../cookies/xsrf.ts'
import { addressValidations } from './address-validations.ts'
import { ipAddress } from './ip-address.ts'
import type { LeadCall } from './lead-call.ts'
import { type ListsPorts, lists } from './lists.ts'
import { type LookupPorts, zipLookups } from './zip-lookups.ts'

export interface ApiPorts extends ListsPorts, LookupPorts {
  readonly leadCall: LeadCall
  readonly lookUpIp: (ip: string) => Promise<string>
  readonly isSameOrigin: IsSameOrigin
  readonly requireToken: Xsrf['require']
  readonly visitorIp: VisitorIp
  readonly limitLookups: RateLimits['limitLookups']
}

/** Calls that cost the operator a call of a third party. */
const paidFor = ['/zip-lookups/*', '/address-validations', '/ip-address']

/** The own API: JSON in and out, errors as problem+json. */
export function api(ports: ApiPorts) {
  return new Hono()
    .use(async (c, next) => {
      await next()
      // Not `c.header`: on an answer that is made it makes another, whose body is a stream, written in pieces.
      c.res.headers.set('Cache-Control', 'no-store')
    })
    .use(async (c, next) =>
      ports.isSameOrigin(headOf(c))
        ? next()
        : problem(c, 403, 'This API answers the pages of its own site only.'),
    )
    .use(ports.requireToken)
    .use(
      refuseEncodedBody((c) =>
        problem(c, 415, 'Send the body as it is, without a Content-Encoding.'),
      ),
    )
    .use(limitBody((c) => problem(c, 413, `Send at most ${mostBodyBytes} bytes.`)))
    .on(['GET', 'POST'], paidFor, ports.limitLookups)
    .route('/', lists(ports))
    .route('/', zipLookups(ports))
    .route('/', addressValidations(ports))
    .route('/', ipAddress(ports))
    .post('/leads', async (c) => send(c, await ports.leadCall(headOf(c), await c.req.text())))
    .all('*', (c) => problem(c, 404, 'There is no such call.'))
}
