import type { Store } from '#server/store/open-store.ts'
import { makeActOnLead } from '#server/use-cases/leads/act-on-lead.ts'

/** What the console's pages do to a lead, for the verbs. */
export const actOnLead = (store: Store) => makeActOnLead({ ...store, clock: Date.now })
