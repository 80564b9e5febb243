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
import { type LeadArchive, type LeadSummary, summaryOf } from './read-leads.ts'
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
  const [found, count] = await Promise.all([
    index.find({ filter, keys, after, towards: 'older', take, now }),
    index.count({ filter, keys, now }),
  ])
  const mayReveal = isAllowed(actor.role, 'reveal a lead')
  const ids = found.leads.map(({ id }) => id)
  const recordOf = new Map((await archive.read(ids, now)).map((read) => [read.lead.id, read]))
  const leads = found.leads.flatMap((lead) => {
    const record = recordOf.get(lead.id)
    return record === undefined ? [] : [toBrowsed(lead, summaryOf(record), mayReveal)]
  })
  return { ...found, leads, count }
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
