import type { Insertable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { Actor } from '../operator.ts'
import { actId } from './act-id.ts'

type Row = Insertable<StoreTables['audit']>

/** Who acts, as it is stored: an operator's id and network, or the system's user. */
export type Whose = Pick<Row, 'operator_id' | 'system_user' | 'network'>

export const whoseActs = (actor: Actor): Whose =>
  actor.kind === 'console'
    ? { operator_id: actor.id, system_user: null, network: actor.network }
    : { operator_id: null, system_user: actor.user, network: null }

/** @param at epoch milliseconds */
export const actRow = (whose: Whose, { action, subject, reason }: AuditEntry, at: number) => ({
  id: actId(at),
  at,
  via: whose.operator_id === null ? ('command line' as const) : ('console' as const),
  operator_id: whose.operator_id,
  system_user: whose.system_user,
  network: whose.network,
  action,
  subject: subject ?? null,
  reason: reason === '' ? null : (reason ?? null),
})
