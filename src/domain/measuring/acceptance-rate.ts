/** The minimum number of answered leads. With fewer answers, the interval is too wide to be useful. */
const minAnswers = 10
/** 95% of a normal distribution lies within this many standard deviations of the mean. */
const z = 1.96

/**
 * Finds the share of accepted leads, from 0 to 1, with the ends of its 95% Wilson score interval; undefined if the
 * distributor has answered too few leads.
 */
export function findAcceptanceRate(accepted: number, rejected: number) {
  const n = accepted + rejected
  if (n < minAnswers) return undefined
  const share = accepted / n
  const scale = 1 + z ** 2 / n
  const middle = (share + z ** 2 / (2 * n)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Describes the share and its interval, which is rounded outward so that it never looks too narrow. */
export const describeAcceptanceRate = (rate: ReturnType<typeof findAcceptanceRate>): string =>
  rate === undefined
    ? 'too few to tell'
    : `${Math.round(rate.share * 100)}%, between ${Math.floor(rate.low * 100)}% and ${Math.ceil(rate.high * 100)}%`
