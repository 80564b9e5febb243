import { makeActOnLead } from '#server/jobs/act-on-lead.ts'
import type { Store } from '#server/start/open-store.ts'

/** What the console's pages do to a lead, for the verbs. */
export const actOnLead = (store: Store) => makeActOnLead({ ...store, clock: Date.now })
