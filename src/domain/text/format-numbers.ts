/** Returns, for example, `12,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US')

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumSignificantDigits: 2 })

/** Returns, for example, `45%` or `0.43%`; a dash if the whole is zero. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : percent.format(part / whole)
