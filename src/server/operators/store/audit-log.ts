import { type Kysely, sql } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AuditLog, AuditQuery } from '../audit/audit.ts'
import { beginsAt } from './act-id.ts'
import { actRow, whoseActs } from './act-row.ts'

export function makeAuditLog(db: Kysely<StoreTables>): AuditLog {
  return {
    record: async (actor, entry, at) => {
      const row = actRow(whoseActs(actor), entry, at)
      await retryConflicts(() => db.insertInto('audit').values(row).execute())
      return row.id
    },
    recordOutcome: async (id, outcome) => {
      await retryConflicts(() =>
        db.insertInto('audit_outcomes').values({ audit_id: id, outcome }).execute(),
      )
    },
    list: (query) => retryConflicts(() => listActs(db, query)),
    users: () => retryConflicts(() => listUsers(db)),
  }
}

/** As migration 0020 has it in an index: both databases take it for the very same words alone. */
const whoDid = (who: 'operator_id' | 'system_user' | 'via') =>
  sql<string>`${sql.ref(who)} || '|' || action`

const momentMs = 60_000

/** From one to the next by their index: the acts between are passed over. */
async function listUsers(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive users (name) as (
      select min(system_user) from audit where system_user is not null
      union all
      select (select min(system_user) from audit where system_user > users.name)
      from users where users.name is not null
    ) select name from users where name is not null limit 50`.execute(db)
  return rows.map(({ name }) => name)
}

async function listActs(db: Kysely<StoreTables>, query: AuditQuery) {
  const { before, action, operatorId, user, via, subject, since, until, take } = query
  // Operators act on the console, the system's users on the command line: nobody is looked for where they cannot be.
  const whose =
    operatorId !== undefined ? 'console' : user !== undefined ? 'command line' : undefined
  if (whose !== undefined && via !== undefined && via !== whose) return []
  let acts = db
    .selectFrom('audit')
    .leftJoin('operators', 'operators.id', 'audit.operator_id')
    .leftJoin('operators as subjects', 'subjects.id', 'audit.subject')
    .leftJoin('audit_outcomes', 'audit_outcomes.audit_id', 'audit.id')
    .select(['audit.id', 'at', 'via', 'operator_id as operatorId', 'network', 'action'])
    .select(['subject', 'reason', 'outcome', 'operators.email', 'system_user'])
    .select('subjects.email as toWhom')
  if (before !== undefined) acts = acts.where('audit.id', '<', before)
  const [who, name] =
    operatorId !== undefined
      ? (['operator_id', operatorId] as const)
      : user !== undefined
        ? (['system_user', user] as const)
        : (['via', via] as const)
  if (action !== undefined && name !== undefined) {
    acts = acts.where(whoDid(who), '=', `${name}|${action}`).where(who, 'is not', null)
  } else {
    if (action !== undefined) acts = acts.where('action', '=', action)
    if (name !== undefined) acts = acts.where(who, '=', name)
  }
  if (subject !== undefined) acts = acts.where('subject', '=', subject)
  if (since !== undefined) {
    acts = acts.where('audit.id', '>=', beginsAt(since)).where('at', '>=', since)
  }
  if (until !== undefined) {
    // Ids of a version before were made a moment after their time.
    acts = acts.where('audit.id', '<', beginsAt(until + momentMs)).where('at', '<', until)
  }
  const rows = await acts.orderBy('audit.id', 'desc').limit(take).execute()
  return rows.map(({ email, system_user, ...act }) => ({ ...act, who: email ?? system_user ?? '' }))
}
