import type { RelatedLeadCounts } from '#domain/abuse/signals.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { countMatchingLeads, findLeads, type LeadCursor } from './find-leads.ts'
import { readSearchKeys } from './person-searches.ts'
import type { LeadReader } from './read-leads.ts'
import type { LeadView, LeadViewer } from './view-lead.ts'

/** The next lead, undefined if none follows, and how many wait. `others` is undefined if the operator may not search for a person. */
export type QuarantineReview = Awaited<
  ReturnType<ReturnType<typeof makeQuarantineReviewer>['showNext']>
>

interface ReviewDependencies {
  readonly leadReader: Pick<LeadReader, 'find'>
  readonly database: Pick<LeadDatabase, 'db'>
  readonly viewLead: Pick<LeadViewer, 'masked' | 'revealed'>
  readonly clock: () => number
}

const quarantined: LeadFilter = { ...emptyFilter, status: ['quarantined'] }

/** Shows quarantined leads one after the other, oldest first. */
export function makeQuarantineReviewer({
  leadReader,
  database: { db },
  viewLead,
  clock,
}: ReviewDependencies) {
  const review = async (actor: ConsoleActor, view: LeadView | undefined) => {
    // If viewers saw these counts, a viewer could submit a suspicious enquiry with a guessed email address, and learn
    // here whether another lead has this email address.
    const mayCount = isAllowed(actor.role, 'search for a person')
    const [waiting, others] = await Promise.all([
      countMatchingLeads(db, { filter: quarantined, keys: undefined, now: clock() }),
      view && mayCount ? countOthers(view.record.lead.id) : undefined,
    ])
    return { lead: view && { view, others }, waiting }
  }
  /** Counts leads with the same email address or phone number, by keyed hashes: no personal data leaves the store. */
  const countOthers = async (id: string): Promise<RelatedLeadCounts | undefined> => {
    const now = clock()
    const record = await leadReader.find(id, now)
    if (record === undefined) return undefined
    const { lead } = record
    const isRead = !('erasedAt' in lead) && !('unreadable' in lead)
    const contacts = isRead ? [lead.email, lead.phone] : []
    const keys = (await Promise.all(contacts.map((contact) => readSearchKeys(db, contact)))).flat()
    const count = (status: LeadStatus) =>
      countMatchingLeads(db, { filter: { ...emptyFilter, status: [status] }, keys, now })
    const [delivered, waiting] = [await count('delivered'), await count('quarantined')]
    const isItselfCounted = record.status === 'quarantined' && keys.length > 0
    return {
      delivered: delivered.count,
      quarantined: waiting.count - (isItselfCounted ? 1 : 0),
      isAll: delivered.isAll && waiting.isAll,
    }
  }

  return {
    showNext: async (actor: ConsoleActor, after: LeadCursor | undefined) => {
      authorize(actor, 'see leads', clock())
      const search = { filter: quarantined, keys: undefined, towards: 'newer', take: 1 } as const
      const [next] = (await findLeads(db, { ...search, after, now: clock() })).leads
      return review(actor, next && (await viewLead.masked(actor, next.id)))
    },
    /** Shows the lead with its personal data, which the audit log records. */
    reveal: async (actor: ConsoleActor, id: string) => {
      const view = await viewLead.revealed(actor, id)
      return view && review(actor, view)
    },
  }
}
