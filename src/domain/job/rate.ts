/**
 * Leads a second. What is retried is then due at once, and a distributor that has just come back is not to be met by all of
 * it together; 100,000 take eight minutes.
 */
export const defaultRate = 200
export const mostRate = 1000

/** Undefined where it is no rate. */
export function readRate(text: string): number | undefined {
  const rate = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return rate >= 1 && rate <= mostRate ? rate : undefined
}
