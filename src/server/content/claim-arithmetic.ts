import type { SourcedFigure } from '#content/site-texts.ts'

/** The figures of claims by their names; texts refer to a claim by its name. */
type FiguresByName = Readonly<Record<string, Pick<SourcedFigure, 'figure'>>>

/** Texts that are computed from claims, so that they follow when the operator changes a claim. */
const arithmetic: Readonly<
  Record<string, { readonly of: readonly string[]; compute: (...amounts: number[]) => string }>
> = {
  'tuition-per-month': {
    of: ['tuition'],
    compute: (tuition = 0) => formatDollars(tuition / 12),
  },
  'years-of-tuition': {
    of: ['salary-increase', 'tuition'],
    compute: (increase = 0, tuition = 1) => describeYears(increase, tuition),
  },
}

export const arithmeticPlaceholders: readonly string[] = Object.keys(arithmetic)

/**
 * Computes a placeholder's text from the page's claims: `{tuition-per-month}` is `$670`, and `{years-of-tuition}` is
 * `more than two and a half years of tuition`.
 * @returns the text; or the fault, if a claim is missing or its figure is not an amount in dollars
 */
export function computeFromClaims(
  placeholder: string,
  claims: FiguresByName,
): { readonly text: string } | { readonly fault: string } {
  const { of = [], compute } = arithmetic[placeholder] ?? {}
  const amounts: number[] = []
  for (const name of of) {
    const figure = claims[name]?.figure
    if (figure === undefined)
      return { fault: `is computed from the claim ${name}, which is missing` }
    const amount = parseDollars(figure)
    if (amount === undefined) {
      return {
        fault: `is computed from the claim ${name}, whose figure “${figure}” is not an amount such as $8,010`,
      }
    }
    amounts.push(amount)
  }
  return { text: compute?.(...amounts) ?? '' }
}

/** Parses an amount above 0, such as `$8,010` or `$8010.50`. */
function parseDollars(text: string): number | undefined {
  if (!/^\$(\d{1,3}(,\d{3})+|\d+)(\.\d\d)?$/.test(text)) return undefined
  return Number(text.replaceAll(/[$,]/g, '')) || undefined
}

/** Rounds to the dollar below a hundred, and to ten dollars above, because the claim itself says “about”. */
function formatDollars(amount: number): string {
  const unit = amount < 100 ? 1 : 10
  return `$${(Math.round(amount / unit) * unit).toLocaleString('en-US')}`
}

const numberWords = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Describes how many years of tuition a raise pays, rounded down to half years. */
function describeYears(increase: number, tuition: number): string {
  const halves = Math.floor((2 * increase) / tuition)
  if (halves === 0) return 'less than half a year of tuition'
  const more = halves * tuition === 2 * increase ? '' : 'more than '
  const years = Math.floor(halves / 2)
  const word = numberWords[years] ?? years
  const half = halves % 2 === 1
  if (years === 0) return `${more}half a year of tuition`
  if (years === 1 && !half) return `${more}a year of tuition`
  return `${more}${word}${half ? ' and a half' : ''} years of tuition`
}
