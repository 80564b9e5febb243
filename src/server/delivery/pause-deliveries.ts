import { toBreakerMode } from '#domain/delivery/breaker.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import {
  authorize,
  makeAuthorizedChange,
  type OperatorContext,
} from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { BreakerStore } from './breaker-store.ts'

/** The most characters of the reason for a pause, which the console shows in a notice. */
export const maxPauseReasonLength = 200

const auditTexts = {
  pause: {
    action: 'paused deliveries',
    changed: 'paused',
    unchanged: 'paused already; the reason was replaced',
  },
  resume: { action: 'resumed deliveries', changed: 'resumed', unchanged: 'were not paused' },
} as const

/** Pauses and resumes all deliveries, for the console and the command line. */
export function makePauseActions({
  breaker,
  ...context
}: Pick<OperatorContext, 'audit' | 'clock'> & {
  readonly breaker: Pick<BreakerStore, 'pause' | 'read' | 'resume'>
}) {
  const change = makeAuthorizedChange(context, 'pause deliveries')
  /**
   * @param given the operator's reason, without personal data
   * @returns false if there was nothing to resume, or deliveries were already paused; a repeated pause replaces reason
   *   and time
   */
  return async (actor: Actor, act: 'pause' | 'resume', given: string): Promise<boolean> => {
    authorize(actor, 'pause deliveries', context.clock())
    if (act === 'resume' && toBreakerMode(await breaker.read()).kind === 'closed') return false
    const reason = toPlainLine(given)
    const { action, changed, unchanged } = auditTexts[act]
    const run = (at: number) => breaker[act]({ reason, at })
    return change(actor, { action, reason }, run, (isChanged) => (isChanged ? changed : unchanged))
  }
}
