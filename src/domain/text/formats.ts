/** Returns, for example, `12,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US')

const percent = /* @__PURE__ */ new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumSignificantDigits: 2,
})

/** Returns, for example, `45%` or `0.43%`; a dash if the whole is zero. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : percent.format(part / whole)

const dollars = /* @__PURE__ */ new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
})

/** @param cents US cents @returns for example `$1,234.50` */
export const formatDollars = (cents: number): string => dollars.format(cents / 100)

/** @param cents US cents; null if unknown @returns for example `1234.50`, for files and forms; empty if unknown */
export const formatAmount = (cents: number | null): string =>
  cents === null ? '' : (cents / 100).toFixed(2)

const compact = { notation: 'compact', maximumSignificantDigits: 2 } as const

const compactNumber = /* @__PURE__ */ new Intl.NumberFormat('en-US', compact)

/** Returns, for example, `1.2K`. */
export const formatCompact = (value: number): string => compactNumber.format(value)

const compactDollars = /* @__PURE__ */ new Intl.NumberFormat('en-US', {
  ...compact,
  style: 'currency',
  currency: 'USD',
})

/** @param cents US cents @returns for example `$1.2K` */
export const formatCompactDollars = (cents: number): string => compactDollars.format(cents / 100)

/** Returns a text such as `1 lead` or `12,000 leads`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** Returns a label as it stands within a sentence, such as `first name` or `ZIP code`: an abbreviation keeps its capitals. */
export const toLowerLabel = (label: string): string =>
  label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
