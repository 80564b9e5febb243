import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditEntry, AuditLog, AuditQuery } from '#server/use-cases/operators/audit.ts'
import type { Actor } from '#server/use-cases/operators/operator.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'

export function makeAuditLog(db: Kysely<StoreTables>): AuditLog {
  return {
    record: async (actor, entry, at) => {
      const id = randomUUIDv7()
      await retryConflicts(() =>
        db.insertInto('audit').values(toRow(id, { actor, entry, at })).execute(),
      )
      return id
    },
    recordOutcome: async (id, outcome) => {
      await retryConflicts(() =>
        db.insertInto('audit_outcomes').values({ audit_id: id, outcome }).execute(),
      )
    },
    list: (query) => retryConflicts(() => listActs(db, query)),
  }
}

interface Act {
  readonly actor: Actor
  readonly entry: AuditEntry
  readonly at: number
}

function toRow(id: string, { actor, entry, at }: Act) {
  const isOnConsole = actor.kind === 'console'
  return {
    id,
    at,
    via: actor.kind,
    operator_id: isOnConsole ? actor.id : null,
    system_user: isOnConsole ? null : actor.user,
    network: isOnConsole ? actor.network : null,
    action: entry.action,
    subject: entry.subject ?? null,
    reason: entry.reason === '' ? null : (entry.reason ?? null),
  }
}

async function listActs(db: Kysely<StoreTables>, query: AuditQuery) {
  const { before, action, operatorId, subject, since, until, take } = query
  let acts = db
    .selectFrom('audit')
    .leftJoin('operators', 'operators.id', 'audit.operator_id')
    .leftJoin('audit_outcomes', 'audit_outcomes.audit_id', 'audit.id')
    .select(['audit.id', 'at', 'via', 'operator_id as operatorId', 'network', 'action'])
    .select(['subject', 'reason', 'outcome', 'email', 'system_user'])
  if (before !== undefined) acts = acts.where('audit.id', '<', before)
  if (action !== undefined) acts = acts.where('action', '=', action)
  if (operatorId !== undefined) acts = acts.where('operator_id', '=', operatorId)
  if (subject !== undefined) acts = acts.where('subject', '=', subject)
  if (since !== undefined) acts = acts.where('at', '>=', since)
  if (until !== undefined) acts = acts.where('at', '<', until)
  const rows = await acts.orderBy('audit.id', 'desc').limit(take).execute()
  return rows.map(({ email, system_user, ...act }) => ({ ...act, who: email ?? system_user ?? '' }))
}
