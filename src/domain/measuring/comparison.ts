/** Why an earlier period can't be compared; undefined if it can. */
export interface Comparison {
  readonly noVisits: string | undefined
  readonly noLeads: string | undefined
}

/** Says why a period can't be compared with the earlier one; empty if it can. */
export function describeMissingComparison({ noVisits, noLeads }: Comparison): string {
  const reasons = [noVisits, noLeads].filter((reason) => reason !== undefined)
  if (reasons.length === 0) return ''
  const scope = noLeads === undefined ? ' of visits' : noVisits === undefined ? ' of leads' : ''
  return `No comparison${scope}: ${reasons.join(', and ')}.`
}
