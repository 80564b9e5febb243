import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { type AuditLog, type KeepChange, runWithAudit } from '#server/operators/audit.ts'
import { authorize, isAllowedFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { BreakerStore, PauseRequest } from './breaker-store.ts'

/** The most characters of the reason for a pause, which the console shows in a notice. */
export const maxPauseReasonLength = 200

const auditTexts = {
  pause: {
    action: 'paused deliveries',
    changed: 'paused',
    unchanged: 'paused already; the reason was replaced',
  },
  resume: { action: 'resumed deliveries', changed: 'resumed', unchanged: 'were not paused' },
  tryNow: {
    action: 'tried the distributor',
    changed: 'the next call was made due',
    unchanged: 'the breaker was not open, or a call was under way',
  },
} as const

export type PauseAct = keyof typeof auditTexts

/** Pauses and resumes all deliveries, or makes the next call while the breaker is open, for the console and the command line. */
export function makePauseActions({
  breaker,
  ...context
}: Pick<OperatorContext, 'audit' | 'clock'> & {
  readonly breaker: Pick<BreakerStore, PauseAct | 'read'>
}) {
  /**
   * @param given the operator's reason, without personal data
   * @returns false if there was nothing to resume or to try, or deliveries were already paused; a repeated pause
   *   replaces reason and time
   */
  return async (actor: Actor, act: PauseAct, given: string): Promise<boolean> => {
    authorize(actor, 'pause deliveries', context.clock())
    const { pause, trip } = await breaker.read()
    if ((act === 'resume' && pause === null) || (act === 'tryNow' && trip === null)) return false
    const reason = toPlainLine(given)
    const { action, changed, unchanged } = auditTexts[act]
    const run = (at: number, keep: KeepChange) =>
      breaker[act]({
        reason,
        at,
        onChange: keepPause(keep, act === 'pause' ? { reason, since: at } : null),
      })
    const entry = { actor, permission: 'pause deliveries', action, reason } as const
    return runWithAudit(context, entry, run, (isChanged) => (isChanged ? changed : unchanged))
  }
}

/** Makes the function that records in the audit log how a pause changed, because a new pause replaces an earlier one. */
export const keepPause =
  (keep: KeepChange, now: BreakerState['pause'], target?: string): PauseRequest['onChange'] =>
  ({ pause, trip }, tx) =>
    keep({ target, before: toValues(pause, trip), after: toValues(now, null) }, tx)

const toValues = (pause: BreakerState['pause'], trip: BreakerState['trip']) => ({
  'paused since': pause === null ? '' : new Date(pause.since).toISOString(),
  'reason for the pause': pause?.reason ?? '',
  'stopped since': trip === null ? '' : new Date(trip.since).toISOString(),
})

/** The processes of release 0.2.0 read the clock twice, so that the pause may begin a moment after its audit entry. */
const maxPauseDelayMs = 1000

/**
 * Adds who paused to a breaker's state, from the audit log, if the actor may see the audit log.
 * @param subject the id of the paused webhook or affiliate; undefined for deliveries
 */
export async function namePauser(
  audit: Pick<AuditLog, 'list'>,
  actor: Actor,
  state: BreakerState,
  subject?: string,
): Promise<BreakerState> {
  const { pause } = state
  if (pause === null || !isAllowedFor(actor, 'see the audit log')) return state
  const since = pause.since - maxPauseDelayMs
  const actions: readonly AuditAction[] =
    subject === undefined ? ['paused deliveries', 'marked as restored'] : ['paused notifications']
  const found = await Promise.all(
    actions.map((action) =>
      audit.list({ action, subject, since, until: pause.since + 1, take: 1 }),
    ),
  )
  const [entry] = found.flat()
  if (entry === undefined || entry.who === '') return state
  const by = entry.via === 'console' ? entry.who : `${entry.who} (command line)`
  return { ...state, pause: { ...pause, by } }
}
