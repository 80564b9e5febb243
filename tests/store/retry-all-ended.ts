import type { Store, StoreSettings } from '#server/store/open-store.ts'
import { retryLead } from './act-on-leads.ts'
import { askStore } from './ask-store.ts'

const conditions = {
  dead: `settled_as = 'dead'`,
  'rejected by cap': `settled_as = 'rejected' and settled_because = 'cap'`,
} as const

/** Retries every delivery with this end, oldest lead first, and counts the results. */
export async function retryAllEnded(
  store: Store,
  settings: StoreSettings,
  { which, now }: { readonly which: keyof typeof conditions; readonly now: number },
) {
  const rows = await askStore(
    settings,
    `select lead_id from deliveries where ${conditions[which]} and lead_erased_at is null
     order by created_at, lead_id`,
  )
  const counts = { due: 0, overtaken: 0, unreadable: 0 }
  for (const { lead_id } of rows) {
    const kind = (await retryLead(store, String(lead_id), now))?.kind
    if (kind === 'due' || kind === 'overtaken' || kind === 'unreadable') counts[kind]++
  }
  return counts
}
