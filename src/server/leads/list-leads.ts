import type { Area } from '#domain/area.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { toVisibleStatus, type VisibleStatus } from '#domain/lead/lead-status.ts'
import { maskAffiliate, maskCampaign, maskName } from '#domain/lead/mask-lead.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { FoundLead, LeadCount, LeadCursor } from './find-leads.ts'
import { requiresSearchRight } from './lead-filters.ts'
import type { LeadIndex } from './lead-index.ts'
import { type LeadReader, type LeadSummary, toLeadSummary } from './read-leads.ts'
import { findSearchKeys } from './search-leads.ts'

/** A lead in the list: its current state, and only the initials of its person. */
export interface ListedLead
  extends FoundLead,
    Pick<LeadSummary, 'attempts' | 'signals' | 'isUnreadable' | 'programName'> {
  readonly status: VisibleStatus
  readonly area: Area
  readonly initials: string
  readonly isHeld: boolean
  readonly isReturned: boolean
}

export interface ListedLeads {
  /** Newest first. */
  readonly leads: readonly ListedLead[]
  readonly next: LeadCursor | undefined
  readonly lookedUntil: number | undefined
  readonly count: LeadCount
}

export interface ListRequest {
  readonly filter: LeadFilter
  readonly searchId?: string | undefined
  readonly after?: LeadCursor | undefined
  readonly take: number
}

/** @throws SearchEndedError */
export async function listLeads(
  { index, archive }: { readonly index: LeadIndex; readonly archive: LeadReader },
  actor: ConsoleActor,
  order: ListRequest,
  now: number,
): Promise<ListedLeads> {
  authorize(actor, 'see leads', now)
  const { filter, searchId, after, take } = order
  if (requiresSearchRight(filter)) authorize(actor, 'search for a person', now)
  const keys = await findSearchKeys(index.searches, searchId, actor, now)
  const [found, count] = await Promise.all([
    index.find({ filter, keys, after, towards: 'older', take, now }),
    index.count({ filter, keys, now }),
  ])
  const mayReveal = isAllowed(actor.role, 'reveal a lead')
  const ids = found.leads.map(({ id }) => id)
  const recordOf = new Map((await archive.read(ids, now)).map((read) => [read.lead.id, read]))
  const leads = found.leads.flatMap((lead) => {
    const record = recordOf.get(lead.id)
    if (record === undefined) return []
    const isHeld = record.delivery !== null && record.delivery.held !== null
    const isReturned = record.returned !== null
    return [{ ...toListedLead(lead, toLeadSummary(record), mayReveal), isHeld, isReturned }]
  })
  return { ...found, leads, count }
}

const toListedLead = (lead: FoundLead, summary: LeadSummary, mayReveal: boolean) => ({
  ...lead,
  affiliate: lead.affiliate && maskAffiliate(lead.affiliate),
  source: lead.source && maskCampaign(lead.source),
  campaign: lead.campaign && maskCampaign(lead.campaign),
  area: summary.area,
  programName: summary.programName,
  status: toVisibleStatus(summary.status, mayReveal),
  attempts: summary.attempts,
  signals: summary.signals,
  isUnreadable: summary.isUnreadable,
  initials: maskName(summary.name),
})
