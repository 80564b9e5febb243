const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** @param cents US cents @returns for example `$1,234.50` */
export const formatDollars = (cents: number): string => dollars.format(cents / 100)
