import { headOf } from '#server/http/request-head.ts'
import type { VisitorIp } from '#server/http/security/visitor-ip.ts'
import { networkOf } from '#server/use-cases/network-of.ts'
import type { Browser } from '#server/use-cases/operators/sessions/keep-sessions.ts'
import type { ConsoleContext } from './console-env.ts'

/** From where a request comes, as a session and the audit remember it. */
export const makeBrowserOf =
  (visitorIp: VisitorIp) =>
  (c: ConsoleContext): Browser => ({
    network: networkOf(visitorIp(headOf(c))),
    browser: c.req.header('user-agent') ?? '',
  })

export type BrowserOf = ReturnType<typeof makeBrowserOf>
