/** When the student would like to start. The ids are ours; the distributor is sent one fixed id (reading 7). */
export const startDates = [
  { id: 'immediately', name: 'Immediately' },
  { id: 'one-to-three-months', name: '1-3 Months' },
  { id: 'four-to-six-months', name: '4-6 Months' },
] as const
