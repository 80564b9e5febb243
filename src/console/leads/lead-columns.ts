/** What a line of the list can show beside its time, in this order, and what each is called. */
export const leadColumns = {
  reference: 'Reference',
  status: 'Status',
  initials: 'Initials',
  area: 'Area',
  program: 'Program',
  state: 'State',
  affiliate: 'Affiliate',
  verified: 'Verified',
  tries: 'Tries',
  error: 'Last error',
  remarks: 'Remarks',
} as const

export type LeadColumn = keyof typeof leadColumns

export const leadColumnNames = Object.keys(leadColumns) as readonly LeadColumn[]

/** Until somebody chooses. */
export const usualColumns: readonly LeadColumn[] = leadColumnNames.filter(
  (name) => name !== 'reference' && name !== 'verified',
)
