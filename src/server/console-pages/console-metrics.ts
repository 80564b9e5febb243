import { createMiddleware } from 'hono/factory'
import { Gauge, type Registry } from 'prom-client'
import { counterFromZero } from '#server/platform/observability/metrics.ts'

const reasons = ['refused', 'slowed'] as const
/** Why somebody was not let in: what they gave is nobody's, or spent; or they are to wait, after too many tries. */
export type RefusedSignIn = (typeof reasons)[number]

/** The console's own, 0 in a process without one. */
export function addConsoleMetrics(registry: Registry) {
  const refused = counterFromZero({
    name: 'console_sign_ins_refused_total',
    help: 'Sign-ins that this process’s console refused: what was given is nobody’s or spent, or it is to wait after too many tries',
    registry,
    all: reasons.map((reason) => ({ reason })),
  })
  const revealsRefused = counterFromZero({
    name: 'console_reveals_refused_total',
    help: 'Leads that this process’s console did not reveal before passkey or password were given again, as their operator had revealed many',
    registry,
    all: [{}],
  })
  let countStreams = () => 0
  new Gauge({
    name: 'console_streams',
    help: 'Pages of the console that are open and follow what happens, at this process',
    registers: [registry],
    collect() {
      this.set(countStreams())
    },
  })
  return {
    countSignInRefused: (reason: RefusedSignIn) => refused.inc({ reason }),
    countRevealsRefused: () => revealsRefused.inc(),
    /** Whom to ask how many streams are open. */
    watchStreams: (count: () => number) => {
      countStreams = count
    },
  }
}

/** Counts requests of the sign-in that were refused or slowed. */
export const countRefused = (count: (reason: RefusedSignIn) => void) =>
  createMiddleware(async (c, next) => {
    await next()
    if (c.res.status === 429) count('slowed')
    else if (c.res.status === 403) count('refused')
  })
