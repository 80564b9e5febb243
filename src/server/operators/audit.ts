import type { Kysely, Selectable, Transaction } from 'kysely'
import { minute } from '#domain/durations.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdAt, makeIdPrefix } from '#server/platform/database/time-ordered-id.ts'
import { authorize } from './authorize.ts'
import type { Actor } from './operator.ts'

/** The most characters of a reason. The limit saves space, because the audit log keeps entries forever. */
export const maxReasonLength = 500

/** An action to record in the audit log, without personal data of a lead. A filter is recorded as a query string. */
export interface AuditEntry {
  readonly action: AuditAction
  /** The id of a lead, an operator or a job; or a filter. */
  readonly subject?: string | undefined
  readonly reason?: string | undefined
}

/** Values by name, as an operator enters or reads them, without secrets. An empty text stands for no value. */
type AuditedValues = Readonly<Record<string, string>>

/** What an action changes, so that an admin can undo the change by hand. */
export interface AuditedChange {
  /** The name of what is changed, which the audit log shows instead of the id. */
  readonly target?: string | undefined
  /** All values before the action; none if the action adds something. */
  readonly before?: AuditedValues
  /** All values after the action; none if the action removes something. */
  readonly after?: AuditedValues
}

/**
 * Stores what an action changes, at most once per action.
 * @param store the transaction that makes the change, so that the log has the old values of exactly this change
 */
export type KeepChange = (change: AuditedChange, tx?: Kysely<StoreTables>) => Promise<void>

/** A changed value: its name, the old text and the new text. */
export type ChangedValue = readonly [name: string, before: string, after: string]

/**
 * A recorded action. `at` is when the action began, in epoch milliseconds; `operatorId` and `network` are null for the
 * command line; `who` is the operator's email address or the operating system's user; `target` is the
 * name of the operator or the thing that `subject` identifies. The outcome is null if the process ended before it recorded one. Another version
 * may have recorded actions that {@link AuditAction} lacks.
 */
export type AuditRecord = Awaited<ReturnType<typeof listAuditEntries>>[number]

/** A filter of audit entries. An entry matches if it meets every given condition. */
export interface AuditFilter {
  readonly action?: string | undefined
  readonly operatorId?: string | undefined
  /** The operating system's user on the command line. */
  readonly user?: string | undefined
  readonly subject?: string | undefined
  /** The start of the listed period, in epoch milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export interface AuditQuery extends AuditFilter {
  /** The id of an audit entry; the query lists only older entries. */
  readonly before?: string | undefined
  readonly take: number
}

/** An action that a person asks for. With a `permission`, the actor must have it. */
interface RequestedAct extends AuditEntry {
  readonly actor: Actor
  readonly permission?: Permission
}

/**
 * Records an action in the audit log before the action starts, and its outcome afterwards, so that no action lacks an
 * entry. An interrupted action has no outcome.
 * @param describeResult says what the action did; by default, `false` means that it changed nothing
 * @throws NotAllowedError, StepUpRequiredError
 */
export async function runWithAudit<Result>(
  { audit, clock }: { readonly audit: AuditLog; readonly clock: () => number },
  { actor, permission, ...entry }: RequestedAct,
  act: (at: number, keep: KeepChange) => Promise<Result>,
  describeResult: (result: Result) => string = describeChange,
): Promise<Result> {
  const at = clock()
  if (permission !== undefined) authorize(actor, permission, at)
  const id = await audit.record(actor, entry, at)
  try {
    const result = await act(at, (change, tx) => audit.keepChange(id, change, tx))
    await audit.recordOutcome(id, describeResult(result))
    return result
  } catch (error) {
    // If the outcome cannot be recorded either, the caller still gets the error of the action, which is more useful.
    await audit.recordOutcome(id, 'failed').catch(() => undefined)
    throw error
  }
}

const describeChange = (result: unknown): string =>
  result === false ? 'nothing was changed' : 'done'

/**
 * Runs an action in a transaction that also records it and its values, so that none exists without the others. An
 * action that is refused or finds nothing is not recorded, because such actions could fill the audit log, which nobody
 * can empty.
 * @param describeResult says what the action did; undefined if it did nothing
 * @throws NotAllowedError, StepUpRequiredError
 */
export function runAuditedTransaction<Result>(
  { db, clock }: { readonly db: Kysely<StoreTables>; readonly clock: () => number },
  { actor, permission, ...entry }: RequestedAct,
  act: (tx: Transaction<StoreTables>, at: number, keep: KeepChange) => Promise<Result>,
  describeResult: (result: Result) => string | undefined,
): Promise<Result> {
  const at = clock()
  if (permission !== undefined) authorize(actor, permission, at)
  return runInTransaction(db, async (tx) => {
    let change: AuditedChange | undefined
    const result = await act(tx, at, async (kept) => {
      change = kept
    })
    const outcome = describeResult(result)
    if (outcome !== undefined) {
      await recordFinished(tx, toActorColumns(actor), entry, { at, outcome, change })
    }
    return result
  })
}

/** Records an action that the caller's transaction has finished. */
export async function recordFinished(
  tx: Transaction<StoreTables>,
  actor: ActorColumns,
  entry: AuditEntry,
  end: { at: number; outcome: string; change: AuditedChange | undefined },
): Promise<void> {
  const log = makeAuditLog(tx)
  const id = await insertAuditEntry(tx, actor, entry, end.at)
  if (end.change !== undefined) await log.keepChange(id, end.change)
  await log.recordOutcome(id, end.outcome)
}

/** Streams an export, and records in the end whether the export is complete or was cut off. */
export async function* streamAuditedExport(
  write: (onProgress: (done: number) => void) => AsyncGenerator<string>,
  describeCount: (done: number) => string,
  onEnd: (outcome: string) => Promise<void>,
): AsyncGenerator<string> {
  let done = 0
  let isComplete = false
  try {
    yield* write((soFar) => {
      done = soFar
    })
    isComplete = true
  } finally {
    await onEnd(isComplete ? describeCount(done) : `cut off after ${describeCount(done)}`)
  }
}

/** Makes the audit log. Database triggers prevent changes and removals of entries. */
export const makeAuditLog = (db: Kysely<StoreTables>) => ({
  /** Resolves with the entry's id. */
  record: (actor: Actor, entry: AuditEntry, at: number): Promise<string> =>
    insertAuditEntry(db, toActorColumns(actor), entry, at),
  recordOutcome: async (id: string, outcome: string): Promise<void> => {
    await db.insertInto('audit_outcomes').values({ audit_id: id, outcome }).execute()
  },
  keepChange: async (
    id: string,
    { target, before = {}, after = {} }: AuditedChange,
    tx = db,
  ): Promise<void> => {
    const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((name): ChangedValue => [name, before[name] ?? '', after[name] ?? ''])
      .filter(([, old, now]) => old !== now)
    await tx
      .insertInto('audit_changes')
      .values({ audit_id: id, target: target ?? null, changes: JSON.stringify(changes) })
      .execute()
  },
  /** Lists entries, newest first. */
  list: (query: AuditQuery) => listAuditEntries(db, query),
  /** Lists at most 50 operating system users who have run commands. */
  users: () => listSystemUsers(db),
})

export type AuditLog = ReturnType<typeof makeAuditLog>

/** The columns for an actor: an operator's id and network, or the operating system's user. */
type ActorColumns = Pick<
  Selectable<StoreTables['audit']>,
  'operator_id' | 'system_user' | 'network'
>

export const toActorColumns = (actor: Actor): ActorColumns =>
  actor.kind === 'console'
    ? { operator_id: actor.id, system_user: null, network: actor.network }
    : { operator_id: null, system_user: actor.user, network: null }

/** @param at epoch milliseconds @returns the entry's id */
async function insertAuditEntry(
  db: Kysely<StoreTables>,
  { operator_id, system_user, network }: ActorColumns,
  { action, subject, reason }: AuditEntry,
  at: number,
): Promise<string> {
  const id = makeIdAt(at)
  const via = operator_id === null ? 'command line' : 'console'
  const actor = { via, operator_id, system_user, network } as const
  await db
    .insertInto('audit')
    .values({ id, at, ...actor, action, subject: subject ?? null, reason: reason || null })
    .execute()
  return id
}

async function listSystemUsers(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('audit')
    .select('system_user as name')
    .distinct()
    .where('system_user', 'is not', null)
    .orderBy('name')
    .limit(50)
    .$narrowType<{ name: string }>()
    .execute()
  return rows.map(({ name }) => name)
}

async function listAuditEntries(db: Kysely<StoreTables>, query: AuditQuery) {
  const { before, action, operatorId, user, subject, since, until, take } = query
  let entries = db
    .selectFrom('audit')
    .leftJoin('operators', 'operators.id', 'audit.operator_id')
    .leftJoin('operators as subjects', 'subjects.id', 'audit.subject')
    .leftJoin('audit_outcomes', 'audit_outcomes.audit_id', 'audit.id')
    .leftJoin('audit_changes', 'audit_changes.audit_id', 'audit.id')
    .select(['audit.id', 'at', 'via', 'operator_id as operatorId', 'network', 'action'])
    .select(['subject', 'reason', 'outcome', 'operators.email', 'system_user'])
    .select(['subjects.email as toWhom', 'audit_changes.target', 'changes'])
  if (before !== undefined) entries = entries.where('audit.id', '<', before)
  if (action !== undefined) entries = entries.where('action', '=', action)
  if (operatorId !== undefined) entries = entries.where('operator_id', '=', operatorId)
  if (user !== undefined) entries = entries.where('system_user', '=', user)
  if (subject !== undefined) entries = entries.where('subject', '=', subject)
  if (since !== undefined) {
    entries = entries.where('audit.id', '>=', makeIdPrefix(since)).where('at', '>=', since)
  }
  if (until !== undefined) {
    // Older versions stored entries whose id is slightly later than their time.
    entries = entries.where('audit.id', '<', makeIdPrefix(until + minute)).where('at', '<', until)
  }
  const rows = await entries.orderBy('audit.id', 'desc').limit(take).execute()
  return rows.map(({ email, system_user, toWhom, target, changes, ...entry }) => ({
    ...entry,
    who: email ?? system_user ?? '',
    target: toWhom ?? target,
    changes: JSON.parse(changes ?? '[]') as readonly ChangedValue[],
  }))
}
