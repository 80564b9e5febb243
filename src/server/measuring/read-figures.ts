import type { FunnelFilter } from '#domain/measuring/funnel.ts'
import { type FunnelFigures, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { type ComparedPeriods, describeMissingComparison } from '#domain/measuring/periods.ts'
import type { FunnelReader, OutcomeCount } from './funnel-reader.ts'

export interface ComparedFigures {
  readonly now: FunnelFigures
  /** The figures of the compared period; undefined if they are incomplete. */
  readonly earlierVisits: FunnelFigures | undefined
  readonly earlierLeads: FunnelFigures | undefined
  /** Says why they are incomplete, and what was counted in another time zone; empty if neither. */
  readonly missing: string
}

/** Reads the figures of a range and of the period that it is compared with. @param leads the range's leads, if they are read anyway */
export async function readComparedFigures(
  funnel: FunnelReader,
  { range, before }: ComparedPeriods,
  filter: FunnelFilter,
  {
    leads,
    hidesPersonalOrigins = false,
  }: { leads?: Promise<readonly OutcomeCount[]>; hidesPersonalOrigins?: boolean } = {},
): Promise<ComparedFigures> {
  const [visitsNow, leadsNow, visitsBefore, leadsBefore, comparison, note] = await Promise.all([
    funnel.visits({ ...range, filter }),
    leads ?? funnel.leads({ ...range, filter, hidesPersonalOrigins }),
    funnel.visits({ ...before, filter }),
    funnel.leads({ ...before, filter, hidesPersonalOrigins }),
    funnel.findMissing({ ...before, filter, hidesPersonalOrigins }),
    funnel.describeEarlierZone(before.first),
  ])
  const earlier = makeFunnelFigures(visitsBefore, leadsBefore)
  return {
    now: makeFunnelFigures(visitsNow, leadsNow),
    earlierVisits: comparison.noVisits === undefined ? earlier : undefined,
    earlierLeads: comparison.noLeads === undefined ? earlier : undefined,
    missing: [describeMissingComparison(comparison), note].filter(Boolean).join(' '),
  }
}
