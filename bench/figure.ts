/** One row of the table. */
export interface Figure {
  readonly name: string
  /** In words, with units and what it is compared with. */
  readonly measured: string
  /** Against the reference of the same run; absent where the bound is no ratio. */
  readonly ratio?: number
  /** In words. */
  readonly bound: string
  readonly isKept: boolean
  /** What was measured, one by one, for who wants to see the spread. */
  readonly samples?: Readonly<Record<string, readonly number[]>>
}

type Limit = { readonly atMost: number } | { readonly atLeast: number }

interface Measured {
  readonly name: string
  readonly measured?: string
  readonly unit: string
  readonly limit: Limit
  readonly samples?: Figure['samples']
}

/** A figure that is bounded against another one of the same run. */
export function ratioFigure(
  figure: Measured & {
    readonly ours: number
    readonly reference: number
    readonly against: string
    /** Where the two are medians of pairs that were measured together: the median of the pairs' ratios. */
    readonly ratio?: number
  },
): Figure {
  const { name, ours, reference, against, unit, limit, samples, measured } = figure
  const ratio = figure.ratio ?? ours / reference
  return {
    name,
    measured: `${measured ?? quantity(ours, unit)} against ${quantity(reference, unit)} (${against})`,
    ratio,
    bound: `${inWords(limit)} ×`,
    isKept: isWithin(ratio, limit),
    ...(samples ? { samples } : {}),
  }
}

/** A figure that is bounded by itself. */
export function plainFigure(figure: Measured & { readonly value: number }): Figure {
  const { name, value, unit, limit, samples, measured } = figure
  return {
    name,
    measured: measured ?? quantity(value, unit),
    bound: `${inWords(limit)} ${unit}`.trim(),
    isKept: isWithin(value, limit),
    ...(samples ? { samples } : {}),
  }
}

export const quantity = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`.trim()

const inWords = (limit: Limit): string =>
  'atMost' in limit
    ? `≤ ${limit.atMost.toLocaleString('en-US')}`
    : `≥ ${limit.atLeast.toLocaleString('en-US')}`

/** NaN is never within: what could not be measured is not kept. */
const isWithin = (value: number, limit: Limit): boolean =>
  'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast
