import type { Logger } from 'pino'
import type { Attempted, Fate } from '../deliver-leads.ts'

const fates: Readonly<Record<Fate, string>> = {
  died: 'a lead is dead: every try of its schedule has failed, and it waits for an operator',
  recovered: 'a lead is delivered that had failed more often than its schedule tries',
}

/** Says what came of an attempt, and what an operator had better know of the lead: its id and figures, no more. */
export function tellAttempt(log: Logger, attempted: Attempted, fate: Fate | undefined): void {
  const { delivery, outcome } = attempted
  const { id: leadId } = delivery.lead
  const isMade = outcome.name !== 'not-made'
  log.info({ leadId, ...outcome }, isMade ? 'delivery attempted' : 'delivery not attempted')
  if (fate === undefined) return
  const attempts = delivery.attemptsBefore + (isMade ? 1 : 0)
  log.warn({ leadId, attempts, ...outcome }, fates[fate])
}
