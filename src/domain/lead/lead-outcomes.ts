/** The results that a lead can have, each with its key in counts, its label, and its condition on `/leads`. */
export const leadOutcomes = [
  ['delivered', 'accepted', 'status=delivered'],
  ['rejected', 'rejected', 'rejected=any'],
  ['owed', 'waiting', 'status=pending&status=leased'],
  ['dead', 'failed', 'status=dead'],
  ['quarantined', 'quarantined', 'status=quarantined'],
  ['duplicate', 'duplicates', 'status=duplicate'],
  ['erased', 'erased', 'status=erased'],
] as const

const causeLabels: Readonly<Record<string, string>> = {
  rejected: 'Rejected by the distributor’s rules',
  cap: 'Rejected: the monthly cap was reached',
}

export const describeRejectionCause = (cause: string): string =>
  causeLabels[cause] ?? `Rejected: ${cause}`
