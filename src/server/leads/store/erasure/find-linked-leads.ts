import type { Kysely, Selectable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Linked = Pick<Selectable<StoreTables['leads']>, 'id' | 'area' | 'payload' | 'corrects'>

/** Leads that correct some leads, or are corrected by them (reading 23), and still hold what a person said. */
export async function findLinkedLeads(
  db: Kysely<StoreTables>,
  leads: readonly Pick<Linked, 'id' | 'corrects'>[],
): Promise<readonly Linked[]> {
  if (leads.length === 0) return []
  const ids = leads.map(({ id }) => id)
  const firsts = leads.map(({ id, corrects }) => corrects ?? id)
  return db
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'corrects'])
    .where('erased_at', 'is', null)
    .where('id', 'not in', ids)
    .where((eb) => eb.or([eb('id', 'in', firsts), eb('corrects', 'in', firsts)]))
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}
