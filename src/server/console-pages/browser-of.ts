import type { Browser } from '#server/operators/sessions/keep-sessions.ts'
import { networkOf } from '#server/platform/http/network-of.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/security/visitor-ip.ts'
import type { ConsoleContext } from './console-env.ts'

/** From where a request comes, as a session and the audit remember it. */
export const makeBrowserOf =
  (visitorIp: VisitorIp) =>
  (c: ConsoleContext): Browser => ({
    network: networkOf(visitorIp(headOf(c))),
    browser: c.req.header('user-agent') ?? '',
  })

export type BrowserOf = ReturnType<typeof makeBrowserOf>
