import type { Actor } from '../operator.ts'

/** Longer than anybody says why: nothing is removed from the audit again. */
export const longestReason = 500

/** What is written down of an act: never a person's data, of a filter what stands in an address. */
export interface AuditEntry {
  /** As in `retried a delivery`. */
  readonly action: AuditAction
  /** A lead's, an operator's or a job's id, or a filter. */
  readonly subject?: string | undefined
  /** The operator's own words. */
  readonly reason?: string | undefined
}

/** In words, as the page and the verb show them. */
export const auditActions = [
  'signed in',
  'was guessed at',
  'was refused',
  'signed out',
  'ended a session',
  'was asked again',
  'set a password',
  'added a passkey',
  'removed a passkey',
  'linked single sign-on',
  'unlinked single sign-on',
  'added an operator',
  'changed a role',
  'disabled an operator',
  'enabled an operator',
  'made an invitation',
  'made a sign-in link',
  'revealed a lead',
  'searched for a person',
  'listed leads',
  'retried a delivery',
  'retried deliveries',
  'settled a delivery',
  'released a lead',
  'released leads',
  'took back a release',
  'paused deliveries',
  'resumed deliveries',
  'exported leads',
  'exported the audit',
  'erased a person',
  'erased old leads',
  'took a backup',
  'marked as restored',
  'planned a job',
  'started a job',
  'paused a job',
  'resumed a job',
  'cancelled a job',
  'ended a job',
] as const

export type AuditAction = (typeof auditActions)[number]

export interface AuditedAct {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly via: Actor['kind']
  /** The operator's id; null on the command line and for who is nobody yet. */
  readonly operatorId: string | null
  /** Their email, or the system's user. */
  readonly who: string
  /** Null on the command line. */
  readonly network: string | null
  readonly action: string
  readonly subject: string | null
  /** The email of the operator that it was done to; null where the subject is none. */
  readonly toWhom: string | null
  readonly reason: string | null
  /** Null where it is not known: the process may have ended on the way. */
  readonly outcome: string | null
}

/** Which acts are meant: those that fit all that it says. */
export interface AuditFilter {
  readonly action?: string | undefined
  readonly operatorId?: string | undefined
  /** The system's, on the command line. */
  readonly user?: string | undefined
  readonly via?: Actor['kind'] | undefined
  readonly subject?: string | undefined
  /** Epoch milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export interface AuditQuery extends AuditFilter {
  /** Acts before this one. */
  readonly before?: string | undefined
  readonly take: number
}

/** Append-only: the database itself refuses to change or remove what is in it. */
export interface AuditLog {
  /** Resolves with its id. */
  record(actor: Actor, entry: AuditEntry, at: number): Promise<string>
  /** Writes down what came of it. */
  recordOutcome(id: string, outcome: string): Promise<void>
  /** The newest first. */
  list(query: AuditQuery): Promise<readonly AuditedAct[]>
  /** Who has done anything on the command line, by the system's names for them; the first ones. */
  users(): Promise<readonly string[]>
}

/**
 * Writes an act down before it is done, and afterwards what came of it: nothing is done that is not written down, and
 * who is cut off on the way leaves an act without an end.
 */
export async function audited<Result>(
  log: AuditLog,
  { actor, at, ...entry }: AuditEntry & { readonly actor: Actor; readonly at: number },
  act: () => Promise<Result>,
  inWords: (result: Result) => string,
): Promise<Result> {
  const id = await log.record(actor, entry, at)
  try {
    const result = await act()
    await log.recordOutcome(id, inWords(result))
    return result
  } catch (error) {
    // What failed is worth more than that it could not be written down: the store may be away.
    await log.recordOutcome(id, 'failed').catch(() => undefined)
    throw error
  }
}
