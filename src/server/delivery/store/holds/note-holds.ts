import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Hold, HoldKind } from '#domain/delivery/hold.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { StoredHoldKind } from '#server/platform/database/tables/delivery-history-tables.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Store = Kysely<StoreTables>

/** A pause may lie upon a trip; there is never more than one of each. */
type Family = 'pause' | 'trip'

/** Of more nobody reads: a distributor that comes and goes opens the breaker a few times an hour at most. */
const mostKept = 10_000

interface Beginning extends Pick<Hold, 'kind' | 'reason' | 'since'> {
  /** When it was noticed, and began to hold. */
  readonly at: number
  readonly by?: Actor | undefined
}

interface Ending {
  /** Epoch milliseconds. */
  readonly at: number
  readonly by?: Actor | undefined
  readonly reason?: string | undefined
}

/** In the transaction that opens the breaker. */
export async function noteHold(store: Store, { kind, reason, since, at, by }: Beginning) {
  // A version before this one may have ended the last one: when, nobody knows.
  await openOnes(store, familyOf(kind)).set({ is_open: 0 }).execute()
  const { operator, user } = columnsOf(by)
  await store
    .insertInto('delivery_holds')
    .values({
      id: randomUUIDv7(),
      kind: storedKind(kind),
      reason,
      began_at: since,
      noticed_at: at,
      is_open: 1,
      begun_by_operator: operator,
      begun_by_user: user,
    })
    .execute()
  await removeOldest(store)
}

/** In the transaction that closes it, or lets go of one of the two. */
export async function noteEnd(store: Store, family: Family, { at, by, reason = '' }: Ending) {
  const { operator, user } = columnsOf(by)
  await openOnes(store, family)
    .set({
      is_open: 0,
      ended_at: at,
      ended_by_operator: operator,
      ended_by_user: user,
      end_reason: reason === '' ? null : reason,
    })
    .execute()
}

/** What the distributor does may change while the breaker is open. */
export const noteTrip = (store: Store, { kind, reason }: Pick<Hold, 'kind' | 'reason'>) =>
  openOnes(store, 'trip')
    .set({ kind: storedKind(kind), reason })
    .execute()

const storedKind = (kind: HoldKind): StoredHoldKind => (kind === 'refused' ? 'refusal' : kind)

const familyOf = (kind: HoldKind): Family => (kind === 'pause' ? 'pause' : 'trip')

const openOnes = (store: Store, family: Family) =>
  store
    .updateTable('delivery_holds')
    .where('is_open', '=', 1)
    .where('kind', family === 'pause' ? '=' : '<>', 'pause')

const columnsOf = (by: Actor | undefined) => ({
  operator: by?.kind === 'console' ? by.id : null,
  user: by?.kind === 'command line' ? by.user : null,
})

async function removeOldest(store: Store): Promise<void> {
  const oldest = await store
    .selectFrom('delivery_holds')
    .select('began_at')
    .orderBy('began_at', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await store.deleteFrom('delivery_holds').where('began_at', '<=', oldest.began_at).execute()
}
