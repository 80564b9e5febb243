/** Whether the store has complete counts of an earlier period. Times are epoch milliseconds. */
export interface Comparison {
  readonly hasVisits: boolean
  readonly hasLeads: boolean
  /** When the first counted visit and the first lead came; undefined if there is none. */
  readonly firstVisitAt: number | undefined
  readonly firstLeadAt: number | undefined
  /** Whether retention has erased leads of the period, which then lack their answers and results. */
  readonly isErased: boolean
}

/**
 * Says why a period can't be compared with the earlier one; empty if it can.
 * @param formatDay formats a time as a day
 */
export function describeMissingComparison(
  { hasVisits, hasLeads, firstVisitAt, firstLeadAt, isErased }: Comparison,
  formatDay: (at: number) => string,
): string {
  if (hasVisits && hasLeads) return ''
  const describeFirst = (what: string, at: number | undefined): string =>
    at === undefined ? `there is no ${what} yet` : `the first ${what} is from ${formatDay(at)}`
  const reasons = [
    ...(hasVisits ? [] : [describeFirst('visit', firstVisitAt)]),
    ...(hasLeads
      ? []
      : [
          isErased
            ? 'retention has erased leads of the earlier days'
            : describeFirst('lead', firstLeadAt),
        ]),
  ]
  const scope = hasLeads ? ' of visits' : hasVisits ? ' of leads' : ''
  return `No comparison${scope}: ${reasons.join(', and ')}.`
}
