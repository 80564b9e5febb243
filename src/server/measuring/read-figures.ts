import type { FunnelFilter } from '#domain/measuring/funnel.ts'
import { type FunnelFigures, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { type ComparedPeriods, describeMissingComparison } from '#domain/measuring/periods.ts'
import type { FunnelReader, OutcomeCount } from './funnel-reader.ts'
import { measure, type TrendMeasures } from './read-trend.ts'

export interface ComparedFigures {
  readonly now: FunnelFigures
  /** The figures of the compared period; undefined if they are incomplete. */
  readonly earlierVisits: FunnelFigures | undefined
  readonly earlierLeads: FunnelFigures | undefined
  /** What the lines of a trend measure, of the compared period; without what is incomplete. */
  readonly earlierMeasures: Partial<TrendMeasures>
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
  const query = { ...before, filter, hidesPersonalOrigins }
  const [visitsNow, leadsNow, visitsBefore, leadsBefore, moneyBefore, comparison, note] =
    await Promise.all([
      funnel.visits({ ...range, filter }),
      leads ?? funnel.leads({ ...range, filter, hidesPersonalOrigins }),
      funnel.visits({ ...before, filter }),
      funnel.leads(query),
      funnel.moneyByDay({ ...query, spans: [before] }),
      funnel.findMissing(query),
      funnel.describeEarlierZone(before.first),
    ])
  const earlier = makeFunnelFigures(visitsBefore, leadsBefore)
  const { delivered: accepted = 0, rejected = 0 } = earlier.byStatus
  const answers = { leads: earlier.leads, accepted, rejected }
  const { visits, ...ofLeads } = measure(earlier.visits, answers, moneyBefore)
  return {
    now: makeFunnelFigures(visitsNow, leadsNow),
    earlierVisits: comparison.noVisits === undefined ? earlier : undefined,
    earlierLeads: comparison.noLeads === undefined ? earlier : undefined,
    earlierMeasures: {
      ...(comparison.noVisits === undefined && { visits }),
      ...(comparison.noLeads === undefined && ofLeads),
    },
    missing: [describeMissingComparison(comparison), note].filter(Boolean).join(' '),
  }
}
