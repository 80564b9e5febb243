import type { Area } from '#domain/area.ts'
import { type PeriodUnit, periodUnits } from './periods.ts'

/** The kinds of devices, by the width of the window. A form posted without JavaScript has the kind `none`. */
export const devices = ['phone', 'tablet', 'desktop', 'none'] as const
export type Device = (typeof devices)[number]

/** @param width the width of the window, in CSS pixels */
export const findDeviceClass = (width: number): 'phone' | 'tablet' | 'desktop' =>
  width < 600 ? 'phone' : width < 1024 ? 'tablet' : 'desktop'

/** The dimensions by which the funnel counts visits and leads. Null means that the value is unknown. */
export interface FunnelGroup {
  readonly area: Area
  /** The source, campaign and affiliate of a visit are untrusted texts of at most 500 characters. */
  readonly source: string | null
  readonly campaign: string | null
  readonly affiliate: string | null
  /** The kind of the visitor's device; null if unknown. */
  readonly device: Device | null
  /** The program's id, once the visitor has chosen one. */
  readonly program: number | null
}

export type FunnelDimension = keyof FunnelGroup

/**
 * The dimensions that only leads have. A visit ends before its state is known, and a report of a visit has no room for
 * the medium and the content; every ad has a content of its own, too, so that few visits would be counted by name.
 */
export const leadDimensions = ['medium', 'content', 'state', 'reason'] as const

export type LeadDimension = (typeof leadDimensions)[number]

/** How counts can be split: by a dimension, or by the day, week (from Monday on) or month of a visit or lead. */
export type FunnelGrouping = FunnelDimension | LeadDimension | PeriodUnit

export const funnelDimensions = [
  'area',
  'source',
  'campaign',
  'affiliate',
  'device',
  'program',
] as const satisfies readonly FunnelDimension[]

export const funnelGroupings: readonly FunnelGrouping[] = [
  ...funnelDimensions,
  ...leadDimensions,
  ...periodUnits,
]

export const isLeadDimension = (by: string): by is LeadDimension =>
  leadDimensions.some((name) => name === by)

export const isPeriodUnit = (by: FunnelGrouping): by is PeriodUnit =>
  periodUnits.some((unit) => unit === by)

/** Each visit is counted in the total (`all`), by its value in each dimension, and by all its values together (`each`). */
export type FunnelCountScope = 'each' | 'all' | FunnelDimension

/** Stands for the sources, campaigns and affiliates beyond the limit: see `maxNamedGroups` in visit-counts.ts. */
export const overflowValue = 'other'

/** Selects the visits and leads that have the given value, or one of the given values, in each given dimension. */
export type FunnelFilter = {
  readonly [Dimension in FunnelDimension]?:
    | FunnelGroup[Dimension]
    | readonly NonNullable<FunnelGroup[Dimension]>[]
} & { readonly [Dimension in LeadDimension]?: string | null }

/** Whether a filter or a comparison concerns something that only leads have, so that no visit can be counted. */
export const countsLeadsOnly = (filter: FunnelFilter, by?: FunnelGrouping): boolean =>
  [...Object.keys(filter), by ?? ''].some(isLeadDimension)

/** The number of visits with each event: see `listVisitEvents`. */
export type VisitEventCounts = Readonly<Record<string, number>>

/** Each bucket of a histogram is 19% wider than the previous bucket, so a percentile is at most 9.1% wrong. */
const bucketsPerDoubling = 4

/** @param value for example milliseconds; at least 1 */
export const toHistogramBucket = (value: number): number =>
  Math.round(bucketsPerDoubling * Math.log2(Math.max(1, value)))

/** @param histogram the number of values in each bucket @returns undefined without values */
export function findPercentile(
  histogram: ReadonlyMap<number, number>,
  share: number,
): number | undefined {
  const buckets = [...histogram].sort(([one], [other]) => one - other)
  const rank = buckets.reduce((sum, [, count]) => sum + count, 0) * share
  let counted = 0
  for (const [bucket, count] of buckets) {
    counted += count
    if (counted >= rank && count > 0) return 2 ** (bucket / bucketsPerDoubling)
  }
  return undefined
}
