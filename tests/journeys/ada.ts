/** What a visitor types; each step's answers can be changed by a test. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly email: string
  readonly address: string
  readonly zip: string
  readonly educationLevel: string
  readonly graduationYear: string
  readonly program: string
  readonly startDate: string
}

export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '9415550100',
  address: '1 Palm Avenue',
  zip: '34236',
  educationLevel: 'Bachelors Degree',
  graduationYear: '2012',
  program: 'M.B.A.',
  startDate: 'Immediately',
} as const
