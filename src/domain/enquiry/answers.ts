export type StepId = 'about-you' | 'address' | 'your-education' | 'program'

interface AnswerDefinition {
  /** The step that asks for the answer. A step asks in the order of this table. */
  readonly step: StepId
  /** The control's label. On the page, the disclosure labels the consent box. */
  readonly label: string
  /** The control's value before the visitor answers, unless it is empty. */
  readonly empty?: string
  /** True if our own API receives the answer as a number. */
  readonly isNumber?: true
  /** True if a request may lack the answer, because browser tabs opened before an upgrade don't ask for it. */
  readonly isNew?: true
}

/** The id of the education level before the visitor chooses one (section 5). */
export const unchosenEducationLevel = -1

/**
 * The visitor's answers. An answer has one name everywhere: in the form's controls, in requests, in the store and in our
 * code (reading 34). The browser needs this part of the definitions first. The table `answerRules` (rules.ts) says what
 * is accepted, and `storedAnswers` (src/domain/lead/stored-answers.ts) what becomes of the answer.
 */
export const answerDefinitions = {
  firstName: { step: 'about-you', label: 'First name' },
  lastName: { step: 'about-you', label: 'Last name' },
  phone: { step: 'about-you', label: 'Phone' },
  email: { step: 'about-you', label: 'Email' },
  address: { step: 'address', label: 'Street address' },
  zip: { step: 'address', label: 'ZIP code' },
  city: { step: 'address', label: 'City' },
  state: { step: 'address', label: 'State' },
  educationLevel: {
    step: 'your-education',
    label: 'Education level',
    empty: String(unchosenEducationLevel),
    isNumber: true,
  },
  graduatingYear: { step: 'your-education', label: 'Graduation year', isNumber: true },
  programId: { step: 'program', label: 'Program', isNumber: true },
  startDate: { step: 'program', label: 'Start date' },
  /** `on` if the visitor has ticked the consent box. */
  confirmation: { step: 'program', label: 'Consent' },
} as const satisfies Readonly<Record<string, AnswerDefinition>>

export type Field = keyof typeof answerDefinitions

/** The visitor's answers as text, in the form, in a posted form and in the tab's storage. */
export type Answers = Readonly<Record<Field, string>>

const definitions: Readonly<Record<Field, AnswerDefinition>> = answerDefinitions

export const fields = Object.keys(definitions) as readonly Field[]

export const emptyAnswers = Object.fromEntries(
  fields.map((field) => [field, definitions[field].empty ?? '']),
) as Answers

export type FieldErrors = Readonly<Partial<Record<Field, string>>>

export const hasErrors = (errors: FieldErrors): boolean => Object.keys(errors).length > 0
