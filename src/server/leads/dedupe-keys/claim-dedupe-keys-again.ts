import { type Selectable, sql, type Transaction } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { dedupeKeyOfRow, keyColumns } from './dedupe-key-of-row.ts'
import { claimDedupeKeys } from './dedupe-keys.ts'

type Store = Transaction<StoreTables>
type Row = Pick<
  Selectable<StoreTables['leads']>,
  'id' | 'received_at' | (typeof keyColumns)[number]
>

/**
 * For leads that gave their keys away when the distributor did not take them (see pass-dedupe-keys-on.ts) and are
 * delivered after all, or are to be. The update changes nothing: who erases one of them waits.
 * @returns by the lead's id, who counts under its key: itself, or another enquiry of the person. Erased ones are not in it.
 */
export async function claimDedupeKeysAgain(
  store: Store,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (leadIds.length === 0) return new Map()
  const leads = await store
    .updateTable('leads')
    .set((eb) => ({ area: eb.ref('area') }))
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .returning(['id', 'received_at', ...keyColumns])
    .execute()
  const holders = await claimFor(store, firstOfEachKey(leads))
  return new Map(leads.map((lead) => [lead.id, holders.get(dedupeKeyOfRow(lead)) ?? lead.id]))
}

/** Who enquired first; in the order of the keys, so that two processes that meet do not deadlock. */
const firstOfEachKey = (leads: readonly Row[]): readonly (readonly [string, Row])[] =>
  [...Map.groupBy(leads.toSorted(byAge), dedupeKeyOfRow)]
    .flatMap(([key, [first]]) => (first === undefined ? [] : [[key, first] as const]))
    .sort(([a], [b]) => (a < b ? -1 : 1))

const byAge = (a: Row, b: Row): number => a.received_at - b.received_at || (a.id < b.id ? -1 : 1)

async function claimFor(
  store: Store,
  firsts: readonly (readonly [string, Row])[],
): Promise<ReadonlyMap<string, string>> {
  if (firsts.length === 0) return new Map()
  const rows = firsts.map(
    ([key, { id, received_at }]) => sql`(${key}, ${id}, cast(${received_at} as bigint))`,
  )
  const claimed = await claimDedupeKeys(sql`values ${sql.join(rows)}`).execute(store)
  return new Map(claimed.rows.map(({ same_enquiry_hash, lead_id }) => [same_enquiry_hash, lead_id]))
}
