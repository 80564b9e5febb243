import type { StoreSettings } from '#server/store/open-store.ts'
import { type Ask, whileAsking } from '#tests/store/ask-store.ts'

/** Counts leads that are missing in the index or differ from it. */
const wrong = `
  select count(*) as n from leads
    left join deliveries on deliveries.lead_id = leads.id
    left join lead_index on lead_index.lead_id = leads.id
  where lead_index.lead_id is null
    or lead_index.attempts <> coalesce(deliveries.attempts, 0)
    or lead_index.status <> case
      when quarantined_at is not null and released_at is null then 'quarantined'
      when deliveries.id is null then 'duplicate'
      else coalesce(settled_as, 'owed') end`

/** Counts the leads that the index has wrong. */
export const wrongInLists = (settings: StoreSettings): Promise<number> =>
  whileAsking(settings, (ask) => count(ask, wrong))

const count = async (ask: Ask, query: string): Promise<number> => Number((await ask(query))[0]?.n)
