import type { Affiliate } from '#domain/affiliate/affiliate.ts'
import { makeScorecard } from '#domain/affiliate/scorecard.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import { overflowValue } from '#domain/measuring/funnel.ts'
import { type FunnelFigures, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import type { ComparedPeriods, Period } from '#domain/measuring/periods.ts'
import { findMedian } from '#domain/median.ts'
import { addLedgerSums, emptyLedgerSums, type LedgerSums } from '#domain/money/ledger.ts'
import type { FunnelQuery, FunnelReader } from './funnel-reader.ts'

/** Reads an affiliate's scorecard: the figures of its visits and leads. */
export async function readScorecard(funnel: FunnelReader, { id, ids }: Affiliate, range: Period) {
  const query = { ...range, filter: { affiliate: ids } }
  const [visits, leads, times, ledger] = await Promise.all([
    funnel.visits(query),
    funnel.leads(query),
    funnel.timesToAcceptance(query),
    funnel.ledgerByAffiliate(range),
  ])
  const money = ledger.get(id) ?? emptyLedgerSums
  return makeScorecard(makeFunnelFigures(visits, leads), money, findMedian(times))
}

/** Reads an affiliate's scorecards of a period and of the period before, and whether they can be compared. */
export async function readComparedScorecards(
  funnel: FunnelReader,
  affiliate: Affiliate,
  { range, before }: ComparedPeriods,
) {
  const [now, earlier, comparison] = await Promise.all([
    readScorecard(funnel, affiliate, range),
    readScorecard(funnel, affiliate, before),
    funnel.findMissing({ ...before, filter: { affiliate: affiliate.ids } }),
  ])
  return { now, earlier, comparison }
}

/** Reads every affiliate's scorecard, without visits and times, and the figures of affiliate ids that belong to no affiliate. */
export async function readScorecards(
  funnel: FunnelReader,
  affiliates: readonly Affiliate[],
  range: Period,
  selected: Pick<FunnelQuery, 'filter' | 'hidesPersonalOrigins'> = { filter: {} },
) {
  const query = { ...range, ...selected, by: 'affiliate' } as const
  const [visits, leads, ledger] = await Promise.all([
    funnel.visitsBy(query),
    funnel.leads(query),
    funnel.ledgerByAffiliate(range),
  ])
  const toKey = ({ value }: { readonly value: unknown }) => makeOriginKey(String(value ?? ''))
  const visitsOf = Map.groupBy(visits, toKey)
  const leadsOf = Map.groupBy(leads, toKey)
  const known = affiliates.flatMap(({ ids }) => ids.map(makeOriginKey))
  // Visits of many ids count under `overflowValue`, which is an affiliate's id only if a lead has it.
  const unknown = new Set([...leadsOf.keys(), ...visitsOf.keys()])
  for (const key of ['', ...known]) unknown.delete(key)
  if (!leadsOf.has(overflowValue)) unknown.delete(overflowValue)
  const keysOf = ({ ids }: Affiliate) => [...new Set(ids.map(makeOriginKey))]
  const cardOf = (keys: readonly string[], money: LedgerSums) =>
    makeScorecard(
      makeFunnelFigures(
        {},
        keys.flatMap((key) => leadsOf.get(key) ?? []),
      ),
      money,
    )
  const moneyOf = ({ id }: Affiliate) => ledger.get(id) ?? emptyLedgerSums
  const figuresOf = (keys: readonly string[]) => {
    const seen = keys
      .flatMap((key) => visitsOf.get(key) ?? [])
      .reduce((sum, { seen }) => sum + seen, 0)
    return makeFunnelFigures(
      { seen },
      keys.flatMap((key) => leadsOf.get(key) ?? []),
    )
  }
  return {
    affiliates: affiliates
      .map((affiliate) => ({ affiliate, ...cardOf(keysOf(affiliate), moneyOf(affiliate)) }))
      .toSorted(byLeads),
    /** All affiliates together. */
    total: cardOf([...new Set(affiliates.flatMap(keysOf))], addLedgerSums(affiliates.map(moneyOf))),
    unknown: [...unknown]
      .map((key) => {
        const leads = leadsOf.get(key) ?? []
        const figures = figuresOf([key])
        const personal = leads.reduce((sum, one) => sum + one.personal, 0)
        const id = String([...leads, ...(visitsOf.get(key) ?? [])][0]?.value)
        return { id, figures, isPersonal: personal > 0 && personal === figures.leads }
      })
      .toSorted(byLeads),
    unknownTotal: figuresOf([...unknown]),
  }
}

type WithFigures = Readonly<Record<'figures', FunnelFigures>>

const byLeads = ({ figures: one }: WithFigures, { figures: other }: WithFigures): number =>
  other.leads - one.leads || other.visits - one.visits
