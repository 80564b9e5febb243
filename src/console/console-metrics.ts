import { createMiddleware } from 'hono/factory'
import type { Registry } from 'prom-client'
import { makeCounter } from '#server/platform/observability/metrics.ts'

const reasons = ['refused', 'slowed'] as const
/** A refused sign-in is `slowed` after too many attempts, or `refused` for a wrong credential or a used link. */
export type SignInRefusal = (typeof reasons)[number]

/** Registers the console's metrics, which stay 0 in a process without a console. */
export function addConsoleMetrics(registry: Registry) {
  const refused = makeCounter({
    name: 'console_sign_ins_refused_total',
    help: 'Sign-ins that this process’s console refused: the credential was wrong, the link was already used, or there were too many attempts',
    registry,
    all: reasons.map((reason) => ({ reason })),
  })
  const revealsRefused = makeCounter({
    name: 'console_reveals_refused_total',
    help: 'Reveals that this process’s console refused until the operator confirmed their identity, because they had revealed many leads',
    registry,
    all: [{}],
  })
  return {
    countSignInRefused: (reason: SignInRefusal) => refused.inc({ reason }),
    countRevealsRefused: () => revealsRefused.inc(),
  }
}

/** Counts sign-in requests that the console refused (403) or slowed down (429). */
export const countRefusedSignIns = (count: (reason: SignInRefusal) => void) =>
  createMiddleware(async (c, next) => {
    await next()
    if (c.res.status === 429) count('slowed')
    else if (c.res.status === 403) count('refused')
  })
