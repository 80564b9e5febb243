import { listVisibleSignals } from '#domain/abuse/signals.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { toVisibleStatus } from '#domain/lead/lead-status.ts'
import { maskLead, maskName } from '#domain/lead/mask-lead.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { countMatchingLeads, findLeads, type LeadCursor } from './find-leads.ts'
import { requiresPersonSearchPermission } from './lead-filters.ts'
import { findPersonSearch } from './person-searches.ts'
import { type LeadReader, type LeadWithLastAttempt, toLeadSummary } from './read-leads.ts'

interface ListRequest {
  readonly filter: LeadFilter
  readonly searchId?: string | undefined
  readonly after?: LeadCursor | undefined
  readonly take: number
  /** Names the distributor's reason of an error group. */
  readonly reasonOf?: (group: string) => string | undefined
}

export type ListedLeads = Awaited<ReturnType<typeof listLeads>>
export type ListedLead = ListedLeads['leads'][number]

/** Lists and counts matching leads, newest first, and shows only each person's initials. @throws SearchExpiredError */
export async function listLeads(
  { database: { db }, leadReader }: { database: Pick<LeadDatabase, 'db'>; leadReader: LeadReader },
  actor: ConsoleActor,
  { filter, searchId, after, take, reasonOf }: ListRequest,
  now: number,
) {
  authorize(actor, 'see leads', now)
  if (requiresPersonSearchPermission(filter)) authorize(actor, 'search for a person', now)
  const search = await findPersonSearch(db, searchId, actor, now)
  const hidesPersonalOrigins = !isAllowed(actor.role, 'search for a person')
  const criteria = { filter, keys: search?.keys, now, hidesPersonalOrigins }
  const [found, matches] = await Promise.all([
    findLeads(db, { ...criteria, after, towards: 'older', take }),
    countMatchingLeads(db, criteria),
  ])
  const ids = found.leads.map(({ id }) => id)
  const mayReveal = isAllowed(actor.role, 'reveal a lead')
  const leads = (await leadReader.read(ids, now)).map((lead) => {
    const group = lead.delivery?.errorGroup
    return { ...summarizeMasked(lead, mayReveal), reason: group ? reasonOf?.(group) : undefined }
  })
  return { ...found, leads, matches, searchTerm: search?.term }
}

function summarizeMasked(record: LeadWithLastAttempt, mayReveal: boolean) {
  const { name: _, email: __, ...lead } = toLeadSummary({ ...record, lead: maskLead(record.lead) })
  return {
    ...lead,
    status: toVisibleStatus(lead.status, mayReveal),
    signals: listVisibleSignals(lead.signals, mayReveal),
    initials: maskName(toLeadSummary(record).name),
  }
}
