import { type Kysely, sql } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadPlace } from '../list/lead-finder.ts'
import { entriesAt, type Source, type Walk } from './walk.ts'
import { inOrder, type Range, within } from './walk-range.ts'

interface Chosen {
  readonly walk: Walk
  /** Where so many of it have been looked at; undefined where there are not so many. */
  readonly bound: LeadPlace | undefined
}

/**
 * The walk that has the fewest entries from a place on: one that ends within what is looked at, the shortest of several;
 * else the one on which so many entries lead the furthest. Nothing of the others is counted to tell.
 */
export async function chooseWalk(
  db: Kysely<StoreTables>,
  walks: readonly Walk[],
  range: Range,
): Promise<Chosen> {
  const bounds = await boundsOf(db, walks, range)
  const all = walks.map((walk, index): Chosen => ({ walk, bound: bounds.get(index) }))
  const ending = all.filter(({ bound }) => bound === undefined)
  if (ending.length > 1) return shortest(db, ending, range)
  return ending[0] ?? all.reduce((one, other) => (isBeyond(other, one, range) ? other : one))
}

/** How many entries a source has, counted as far as it matters. */
export async function sizeOf(
  db: Kysely<StoreTables>,
  source: Source,
  { range, upTo }: { readonly range: Range; readonly upTo: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select ${sizeUpTo(source, range, upTo)} as n`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Of several values the nearest place, so that nothing between is left out. */
async function boundsOf(
  db: Kysely<StoreTables>,
  walks: readonly Walk[],
  range: Range,
): Promise<ReadonlyMap<number, LeadPlace>> {
  const probes = walks.flatMap(({ sources }, index) =>
    sources.map((source) => {
      const each = Math.ceil(range.lookedAt / sources.length)
      return sql`select * from (
        select cast(${index} as integer) as walk, received_at, lead_id from ${entriesAt(source.at)}
        where ${within(source, range)} ${inOrder(source.at, range.towards)} limit 1 offset ${each}) as probe`
    }),
  )
  const { rows } = await sql<{ walk: number; received_at: number; lead_id: string }>`
    select * from (${sql.join(probes, sql` union all `)}) as probes
    ${inOrder('probes', range.towards)}`.execute(db)
  const nearest = new Map<number, LeadPlace>()
  for (const { walk, received_at, lead_id } of rows) {
    if (!nearest.has(walk)) nearest.set(walk, { id: lead_id, receivedAt: received_at })
  }
  return nearest
}

async function shortest(
  db: Kysely<StoreTables>,
  all: readonly Chosen[],
  range: Range,
): Promise<Chosen> {
  const sizes = all.map(({ walk }, index) => {
    const each = walk.sources.map((source) => sizeUpTo(source, range, range.lookedAt))
    return sql`${sql.join(each, sql` + `)} as ${sql.ref(`walk${index}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(sizes)}`.execute(db)
  const sizeAt = (index: number) => rows[0]?.[`walk${index}`] ?? 0
  const index = all.reduce((least, _, at) => (sizeAt(at) < sizeAt(least) ? at : least), 0)
  return all[index] as Chosen
}

const sizeUpTo = (source: Source, range: Range, upTo: number) => sql<number>`(select count(*) from (
  select 1 as one from ${entriesAt(source.at)} where ${within(source, range)} limit ${upTo}) as walked)`

function isBeyond({ bound: one }: Chosen, { bound: other }: Chosen, { towards }: Range): boolean {
  if (one === undefined || other === undefined) return false
  return towards === 'older' ? one.receivedAt < other.receivedAt : one.receivedAt > other.receivedAt
}
