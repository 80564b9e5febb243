import { type Kysely, sql } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type Group, groupOfRest } from './group-of.ts'

/** A distributor that says something else of each lead would fill a page that nobody reads. */
export const mostGroups = 300

/**
 * Writes down those that are new, as long as there are not too many; the words of the rest are one group an error.
 * @returns the id of the group that each of them is counted to
 */
export async function keepGroups(
  store: Kysely<StoreTables>,
  groups: readonly Group[],
): Promise<ReadonlyMap<string, string>> {
  const given = new Map(groups.map((group) => [group.id, group]))
  if (given.size === 0) return new Map()
  const known = await knownOf(store, [...given.keys()])
  const unknown = [...given.values()].filter(({ id }) => !known.has(id))
  const room = unknown.length === 0 ? 0 : await roomFor(store, unknown.length)
  const [added, rest] = [unknown.slice(0, room), unknown.slice(room)]
  await add(store, [...added, ...rest.map(groupOfRest)])
  const restOf = new Map(rest.map((group) => [group.id, groupOfRest(group).id]))
  return new Map([...given.keys()].map((id) => [id, restOf.get(id) ?? id]))
}

async function knownOf(store: Kysely<StoreTables>, ids: readonly string[]) {
  const rows = await store.selectFrom('error_groups').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** What no lead is in any more makes room. */
async function roomFor(store: Kysely<StoreTables>, wanted: number): Promise<number> {
  const room = mostGroups - (await countGroups(store))
  if (room >= wanted) return room
  await removeUnusedGroups(store)
  return Math.max(0, mostGroups - (await countGroups(store)))
}

const isUnused = sql<boolean>`not exists (
  select 1 from lead_index where lead_index.error_group = error_groups.id)`

/**
 * What no lead is in any more, in the transaction that erases: what the distributor wrote of one person alone may name them
 * in a way that nobody masks.
 */
export async function removeUnusedGroups(store: Kysely<StoreTables>): Promise<void> {
  await store.deleteFrom('error_groups').where(isUnused).execute()
}

async function countGroups(store: Kysely<StoreTables>): Promise<number> {
  const { n } = await store
    .selectFrom('error_groups')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

const byId = (one: Group, other: Group): number => (one.id < other.id ? -1 : 1)

async function add(store: Kysely<StoreTables>, groups: readonly Group[]): Promise<void> {
  if (groups.length === 0) return
  await store
    .insertInto('error_groups')
    // In one order, so that two processes that meet do not deadlock.
    .values([...new Map(groups.map((group) => [group.id, group])).values()].toSorted(byId))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
