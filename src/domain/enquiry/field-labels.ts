import type { Field } from './enquiry.ts'

/** The labels of the form's fields. On the page, the disclosure labels the consent box. */
export const fieldLabels = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  email: 'Email',
  address: 'Street address',
  zip: 'ZIP code',
  city: 'City',
  state: 'State',
  previousEducation: 'Education level',
  graduatingYear: 'Graduation year',
  desiredProgram: 'Program',
  startDate: 'Start date',
  confirmation: 'Consent',
} as const satisfies Readonly<Record<Field, string>>
