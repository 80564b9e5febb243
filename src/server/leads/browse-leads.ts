import type { Area } from '#domain/area.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { type ShownStatus, shownStatus } from '#domain/lead/lead-status.ts'
import { maskAffiliate, maskedName } from '#domain/lead/mask-lead.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { FoundLead, LeadCount, LeadPlace } from './find-leads.ts'
import { requiresSearchRight } from './lead-filters.ts'
import type { LeadIndex } from './lead-index.ts'
import type { LeadArchive, LeadSummary } from './read-leads.ts'
import { searchedKeys } from './search-leads.ts'

/** A lead in the list: its current state, and only the initials of its person. */
export interface BrowsedLead
  extends FoundLead,
    Pick<LeadSummary, 'attempts' | 'signals' | 'isUnreadable' | 'programName'> {
  readonly status: ShownStatus
  readonly area: Area
  readonly initials: string
}

export interface BrowsedLeads {
  /** Newest first. */
  readonly leads: readonly BrowsedLead[]
  readonly next: LeadPlace | undefined
  readonly lookedUntil: number | undefined
  readonly count: LeadCount
}

export interface BrowseOrder {
  readonly filter: LeadFilter
  readonly searchId?: string | undefined
  readonly after?: LeadPlace | undefined
  readonly take: number
}

/** @throws SearchEndedError */
export async function browseLeads(
  { index, archive }: { readonly index: LeadIndex; readonly archive: LeadArchive },
  actor: ConsoleActor,
  order: BrowseOrder,
  now: number,
): Promise<BrowsedLeads> {
  authorise(actor, 'see leads', now)
  const { filter, searchId, after, take } = order
  if (requiresSearchRight(filter)) authorise(actor, 'search for a person', now)
  const keys = await searchedKeys(index.searches, searchId, actor, now)
  const found = await index.findAndCount({ filter, keys, after, take, now })
  const mayReveal = isAllowed(actor.role, 'reveal a lead')
  const ids = found.leads.map(({ id }) => id)
  const summaries = ids.length === 0 ? [] : await archive.list({ ids, now, take: ids.length })
  const summaryOf = new Map(summaries.map((summary) => [summary.id, summary]))
  const leads = found.leads.flatMap((lead) => {
    const summary = summaryOf.get(lead.id)
    return summary === undefined ? [] : [toBrowsed(lead, summary, mayReveal)]
  })
  return { ...found, leads }
}

const toBrowsed = (lead: FoundLead, summary: LeadSummary, mayReveal: boolean): BrowsedLead => ({
  ...lead,
  affiliate: lead.affiliate && maskAffiliate(lead.affiliate),
  area: summary.area,
  programName: summary.programName,
  status: shownStatus(summary.status, mayReveal),
  attempts: summary.attempts,
  signals: summary.signals,
  isUnreadable: summary.isUnreadable,
  initials: maskedName(summary.name),
})
