import { type SqlBool, sql } from 'kysely'

/** Asked of deliveries. One that was erased stays owed, and nobody can settle it. */
export const isInDoubt = sql<SqlBool>`deliveries.restored_at is not null and deliveries.settled_at is null
  and deliveries.lead_erased_at is null`
