import type { Field, StepId } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'

/** A visitor's answers, which a test can change. */
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

/** The person of `exampleAnswers`, with the texts of list options. */
export const ada = {
  firstName: exampleAnswers.firstName,
  lastName: exampleAnswers.lastName,
  phone: '9415550100',
  address: exampleAnswers.address,
  zip: exampleAnswers.zip,
  educationLevel: 'Bachelor’s degree',
  graduationYear: exampleAnswers.graduatingYear,
  program: 'M.B.A.',
  startDate: 'Immediately',
} as const satisfies Omit<Person, 'email'>

/** A person whose email address only the first step needs. */
export type Answering = Omit<Person, 'email'> & Partial<Pick<Person, 'email'>>

export interface Question {
  /** The accessible name of the question's control; a check box is labeled with the consent text. */
  readonly label?: string
  readonly control: 'text' | 'phone' | 'list' | 'box'
  readonly answer?: (person: Answering) => string
}

/** How a visitor answers each question that everybody is asked. Journeys and browser tests fill the form with it. */
const questions: Readonly<Record<Exclude<Field, 'city' | 'state'>, Question>> = {
  firstName: { control: 'text', label: 'First name', answer: ({ firstName }) => firstName },
  lastName: { control: 'text', label: 'Last name', answer: ({ lastName }) => lastName },
  phone: { control: 'phone', label: 'Phone', answer: ({ phone }) => phone },
  email: { control: 'text', label: 'Email', answer: ({ email = '' }) => email },
  address: { control: 'text', label: 'Street address', answer: ({ address }) => address },
  zip: { control: 'text', label: 'ZIP code', answer: ({ zip }) => zip },
  educationLevel: {
    control: 'list',
    label: 'Education level',
    answer: ({ educationLevel }) => educationLevel,
  },
  graduatingYear: {
    control: 'text',
    label: 'Graduation year',
    answer: ({ graduationYear }) => graduationYear,
  },
  programId: { control: 'list', label: 'Program', answer: ({ program }) => program },
  startDate: { control: 'list', label: 'Start date', answer: ({ startDate }) => startDate },
  confirmation: { control: 'box' },
}

/** The questions in the order of the step. */
export const questionsOf = (id: StepId): readonly Question[] =>
  steps
    .filter((step) => step.id === id)
    .flatMap(({ fields }) => fields.flatMap((field) => (field in questions ? [field] : [])))
    .map((field) => questions[field as keyof typeof questions])
