/** Who enquires in the pictures: nobody of these lives anywhere. */
export const firstNames = [
  'Maya',
  'Owen',
  'Priya',
  'Luis',
  'Hannah',
  'Andre',
  'Sofia',
  'Caleb',
  'Noor',
  'Grace',
  'Tomas',
  'Ruth',
]
export const lastNames = [
  'Alvarez',
  'Brooks',
  'Chen',
  'Delgado',
  'Ellis',
  'Foster',
  'Grant',
  'Huang',
  'Iqbal',
  'Jensen',
  'Kowalski',
  'Lindgren',
  'Moreno',
]
export const places = [
  { city: 'Sarasota', state: 'FL', zip: '34236' },
  { city: 'Austin', state: 'TX', zip: '78701' },
  { city: 'Columbus', state: 'OH', zip: '43215' },
  { city: 'Fresno', state: 'CA', zip: '93721' },
  { city: 'Buffalo', state: 'NY', zip: '14202' },
]
export const affiliates = ['fall-search', 'nurses-today', 'mail-0311', null, 'campus-guide']
export const programs = [
  ['business', 'M.B.A.', 8],
  ['healthcare', 'B.S. Nursing (RN to BSN)', 15],
  ['business', 'B.S. Accounting', 1],
  ['education', 'B.A. Elementary Ed', 43],
  ['technology', 'B.S. Health Information Management', 18],
] as const
