import type { AuditLog } from '../audit/audit.ts'
import type { Operator } from '../operator.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import type { SignedInBy } from '../sessions/operator-sessions.ts'

interface LetInPorts {
  readonly keepSessions: Pick<KeepSessions, 'begin'>
  readonly audit: Pick<AuditLog, 'record' | 'recordOutcome'>
  readonly clock: () => number
}

/** Who has shown that it is they, and how. */
interface Shown {
  readonly operator: Operator
  readonly from: Browser
  /** In words, for the audit. */
  readonly reason: string
  readonly by: SignedInBy
  /** When they showed it: now, unless it was at a provider before. Epoch milliseconds. */
  readonly lastAuthenticatedAt?: number
}

/**
 * Begins a session, which the audit has first. Resolves with the browser's secret; undefined where what they signed in by has
 * ended meanwhile.
 */
export async function letIn(
  { keepSessions, audit, clock }: LetInPorts,
  { operator, from, reason, by, lastAuthenticatedAt = clock() }: Shown,
): Promise<string | undefined> {
  const actor = { ...operator, kind: 'console' as const, lastAuthenticatedAt, ...from }
  const id = await audit.record(actor, { action: 'signed in', reason }, clock())
  const secret = await keepSessions.begin(operator, from, by, lastAuthenticatedAt)
  if (secret === undefined) {
    await audit.recordOutcome(id, 'refused: this way to sign in had just ended')
  }
  return secret
}
