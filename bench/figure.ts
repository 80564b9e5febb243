/** One row of the table. */
export interface Figure {
  readonly name: string
  /** The measured value in words, with units and the value that it is compared with. */
  readonly measured: string
  /** The ratio to the reference of the same run; undefined if the bound is not a ratio. */
  readonly ratio?: number
  /** The bound in words. */
  readonly bound: string
  readonly isKept: boolean
  /** Every single measurement, so that a reader can see the spread. */
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

/** A figure whose bound compares it with another one of the same run. */
export function ratioFigure(
  figure: Measured & {
    readonly ours: number
    readonly reference: number
    readonly against: string
    /** The median of the pairs' ratios, if both values are medians of pairs that were measured together. */
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

/** A figure with an absolute bound, or one that is only reported. */
export function plainFigure(
  figure: Omit<Measured, 'limit'> & { readonly value: number; readonly limit?: Limit },
): Figure {
  const { name, value, unit, limit, samples, measured } = figure
  return {
    name,
    measured: measured ?? quantity(value, unit),
    bound: limit ? `${inWords(limit)} ${unit}`.trim() : 'none',
    isKept: limit === undefined || isWithin(value, limit),
    ...(samples ? { samples } : {}),
  }
}

export const quantity = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`.trim()

const inWords = (limit: Limit): string =>
  'atMost' in limit
    ? `≤ ${limit.atMost.toLocaleString('en-US')}`
    : `≥ ${limit.atLeast.toLocaleString('en-US')}`

/** NaN is never within the bound, because then nothing was measured. */
const isWithin = (value: number, limit: Limit): boolean =>
  'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast
