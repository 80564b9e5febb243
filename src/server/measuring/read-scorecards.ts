import type { Affiliate } from '#domain/affiliate/affiliate.ts'
import { makeScorecard, type Scorecard } from '#domain/affiliate/scorecard.ts'
import { type FunnelRange, overflowValue } from '#domain/measuring/funnel.ts'
import { type FunnelFigures, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { findMedian } from '#domain/median.ts'
import type { FunnelReader } from './funnel-reader.ts'
import { dayMs, keepDailyCountsMs, startOfUtcDay, startOfUtcWeek, weekMs } from './funnel-rollup.ts'

/** If the operator gives no dates, a scorecard shows today and the 29 days before. */
const defaultDays = 30

interface Period {
  readonly range: FunnelRange
  /** The preceding range of the same length, for comparison. */
  readonly before: FunnelRange
  /** True if the period was widened to whole weeks. */
  readonly isByWeek: boolean
}

/** Widens a range to whole UTC days, or to weeks if the preceding range is too old for counts by the day. */
export function makeComparedPeriods(
  from: number | undefined,
  to: number | undefined,
  now: number,
): Period {
  const end = Math.min(to ?? now, now)
  const start = Math.min(from ?? startOfUtcDay(end - 1) - (defaultDays - 1) * dayMs, end - 1)
  const isOld = start - (end - start) < now - keepDailyCountsMs
  const [unit, toStart] = isOld ? [weekMs, startOfUtcWeek] : [dayMs, startOfUtcDay]
  const since = toStart(start)
  const until = Math.min(now, toStart(end - 1) + unit)
  const length = Math.ceil((until - since) / unit) * unit
  const before = { since: since - length, until: since }
  return { range: { since, until }, before, isByWeek: isOld }
}

/** Reads an affiliate's scorecard: the figures of its visits and leads. */
export async function readScorecard(
  funnel: FunnelReader,
  { ids, payoutCents }: Affiliate,
  range: FunnelRange,
): Promise<Scorecard> {
  const query = { ...range, filter: { affiliate: ids } }
  const [visits, leads, times] = await Promise.all([
    funnel.visits(query),
    funnel.leads(query),
    funnel.timesToAcceptance(query),
  ])
  return makeScorecard(makeFunnelFigures(visits, leads), payoutCents, findMedian(times))
}

/** Reads an affiliate's scorecards of a period and of the period before, and whether they can be compared. */
export async function readComparedScorecards(
  funnel: FunnelReader,
  affiliate: Affiliate,
  { range, before }: Pick<Period, 'range' | 'before'>,
) {
  const [now, earlier, comparison] = await Promise.all([
    readScorecard(funnel, affiliate, range),
    readScorecard(funnel, affiliate, before),
    funnel.compareWith({ since: before.since, filter: { affiliate: affiliate.ids } }),
  ])
  return { now, earlier, comparison }
}

/** Reads every affiliate's scorecard, without visits and times, and the figures of affiliate ids that belong to no affiliate. */
export async function readScorecards(
  funnel: FunnelReader,
  affiliates: readonly Affiliate[],
  range: FunnelRange,
) {
  const query = { ...range, filter: {}, by: 'affiliate' } as const
  const [visits, leads] = await Promise.all([funnel.visitsBy(query), funnel.leads(query)])
  const visitsOf = new Map(visits.map(({ value, seen }) => [value, { seen }]))
  const leadsOf = Map.groupBy(leads, ({ value }) => value)
  const known = new Set<unknown>(affiliates.flatMap(({ ids }) => ids))
  const ids = [...leadsOf.keys(), ...visitsOf.keys()].filter(
    // Visits of many ids count under `overflowValue`, which is an affiliate's id only if a lead has it.
    (id) => typeof id === 'string' && !known.has(id) && (id !== overflowValue || leadsOf.has(id)),
  )
  return {
    affiliates: affiliates
      .map((affiliate) => {
        const own = affiliate.ids.flatMap((id) => leadsOf.get(id) ?? [])
        return { affiliate, ...makeScorecard(makeFunnelFigures({}, own), affiliate.payoutCents) }
      })
      .toSorted(byLeads),
    unknown: [...new Set(ids)]
      .map((id) => {
        const leads = leadsOf.get(id) ?? []
        const figures = makeFunnelFigures(visitsOf.get(id) ?? {}, leads)
        const personal = leads.reduce((sum, one) => sum + (one.personal ?? 0), 0)
        return { id: String(id), figures, isPersonal: personal > 0 && personal === figures.leads }
      })
      .toSorted(byLeads),
  }
}

type WithFigures = Readonly<Record<'figures', FunnelFigures>>

const byLeads = ({ figures: one }: WithFigures, { figures: other }: WithFigures): number =>
  other.leads - one.leads || other.visits - one.visits
