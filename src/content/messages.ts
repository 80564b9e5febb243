import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { AddressCheckFault } from '#domain/enquiry/advance-step.ts'
import type { FieldErrors } from '#domain/enquiry/answers.ts'
import { offlineHint } from './first-script-texts.ts'

/** The text of a toast (section 8). Without JavaScript, the page shows the text above the form. */
export interface FormNotice {
  readonly summary: string
  readonly detail: string
  /** A sticky toast stays until the visitor closes it; other toasts close after three seconds (section 9). */
  readonly isSticky: boolean
  /** The text beside the button, which stays after the toast closes; shown only if no field has an error. */
  readonly more?: string
  /** The texts of links to fields that have no error but that the visitor has to fill in. */
  readonly links?: FieldErrors
}

/** Makes the notice of section 8: the specification's words and then advice, but no words of the address service. */
export const makeAddressNotice = (fault: AddressCheckFault): FormNotice => ({
  summary: 'Unable to validate address',
  detail:
    fault.kind === 'invalid-address'
      ? fault.message
      : 'Error validating address: the address service is not available right now. Please enter or check your city and state, then select Next.',
  isSticky: true,
  ...(fault.kind === 'address-call' ? { links: { city: 'Go to City and State' } } : {}),
})

/** The notice "Address call fails" (section 8) if the visitor is offline. */
export const offlineAddressNotice: FormNotice = {
  summary: 'Unable to validate address',
  detail: `Error validating address: ${offlineHint}`,
  isSticky: true,
  more: 'We have not checked your address yet.',
}

/** The hint above the city and state fields, which the form fills in if the ZIP lookup knows both (readings 11, 12). */
export const placeByHandHint = 'We could not check your address. Please check the city and state:'

export const submissionErrorNotice: FormNotice = {
  summary: 'Unable to Submit Information',
  detail:
    'There was an error submitting your information. Please check the information entered and try again.',
  isSticky: false,
}

/** The notice "Submission fails" (section 8) if no server or another server answered, such as a proxy. */
export const notSentNotice: FormNotice = {
  ...submissionErrorNotice,
  more: 'We could not send your request. The form keeps your answers: please try again.',
}

/** The notice "Submission fails" (section 8) if our server could not store the enquiry. */
export const notStoredNotice: FormNotice = {
  ...submissionErrorNotice,
  more: 'The problem is on our side. The form keeps your answers: please try again in a few minutes.',
}

export const formatRateLimitMessage = (seconds: number): string =>
  `We have received many requests from your network. The form keeps your answers. Please try again in ${describeWait(seconds)}.`

/** @param detail the result of {@link formatRateLimitMessage} */
export const makeRateLimitNotice = (detail: string): FormNotice => ({
  ...submissionErrorNotice,
  detail,
  isSticky: true,
  more: 'We have not sent your request yet.',
})

const describeWait = (seconds: number): string => {
  if (seconds === 1) return 'a second'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The line above a step's fields: what the visitor has left empty, or has to correct. */
export const problemHeadings = { empty: 'Still needed', wrong: 'Please check' }

/** The specification's "Dropdown empty state" (section 8), as the only option of a list without choices. */
export const makeEmptyOptionLabel = (list: string): string =>
  `No ${list.toLowerCase()} to choose from right now`

/** Says below the disclosure who contacts the visitor, whatever the box covers, and whose policy a link opens. */
export const makeConsentNote = (school: string, operator: string, isOwnPolicy: boolean): string =>
  `${school} may also call you about this request.${isOwnPolicy ? ` The linked policy is that of ${operator}, which runs this site.` : ''}`

/** The error at the box if the operator has changed the disclosure, and nobody knows which text the visitor saw. */
export const changedDisclosureMessage =
  'This text has changed. Please read it, and check the box if you agree.'

export const thankYouTexts = {
  heading: 'Information Received',
  text: 'We have received your submission. Someone from the school will contact you soon.',
  /** Makes the text true for people on the list *Do not contact*, too, without telling who is on it (reading 36). */
  unless: 'If you have asked not to be contacted, that still stands.',
  questionsHeading: 'Questions to have ready',
  questions: [
    'What do I pay in all, with fees and books?',
    'Which of my earlier credits count?',
    'Who accredits the program, and does my state accept it?',
    'How many hours a week will it take?',
  ],
  another: 'Send another request',
  /** The message above the form after the visitor has chosen to send another request. */
  already: (reference: string): string =>
    `We have received your request (reference ${reference}). Use this form to send another one.`,
}

export const programHints = {
  wholeArea: 'No program matches your education level, so the list shows all programs.',
  /** The words before and after links to the areas' programs. */
  elsewhere: ['Not here? See all', 'programs'],
}

/** The texts of the question after step 3 if the education level rules out the chosen program. */
export const closedProgramTexts = {
  /** The program list by education level (section 9) opens master's programs from a bachelor's degree on. */
  heading: ({ name, degreeType }: Pick<Program, 'name' | 'degreeType'>): string =>
    degreeType === 'Masters'
      ? `${name} needs a bachelor’s degree`
      : `${name} is not open to people with a master’s degree`,
  hint: 'You can choose another program in the next step.',
  drop: 'Choose another program',
  correct: 'Correct my education level',
}

/** The texts about a program in the page's URL that the page's form does not offer. */
export const linkedProgramTexts = {
  elsewhere: (program: string, area: string): string =>
    `You picked ${program}, one of the programs in ${area}.`,
  go: (program: string): string => `Continue with ${program}`,
  unknown:
    'The program in your link is not offered, or your link names several programs. You can choose a program in the last step.',
}

/** The notice for visitors whose browser asks not to sell or share data (Global Privacy Control). */
export const doNotSellNotice = {
  heard: 'Your browser asked us not to sell your data, and we honor this request.',
  meaning: (school: string): string =>
    `No advertising service learns of your visit. We still send your request to ${school}, because you ask for that with this form.`,
  more: 'More about Global Privacy Control',
}

/** The texts of a question about an address. The visitor can skip the question. */
export const addressQuestionTexts = {
  suggestion: (street: string) => `Did you mean ${street}?`,
  take: (street: string) => `Use ${street}`,
  unknown: 'Is this street right?',
  unknownHint: 'We could not confirm your street. Please check the street, or keep it as it is.',
  keep: 'Keep what I typed',
  correct: 'Let me correct it',
  unit: 'Which apartment or unit is yours?',
  unitHint: 'This building seems to have more than one apartment or unit.',
  unitLabel: 'Apartment or unit',
  addUnit: 'Add it',
  noUnit: 'My address has no unit',
}

/** The texts of a question about phone or email. The visitor can skip the question. */
export const contactQuestionTexts = {
  email: (meant: string) => `Did you mean ${meant}?`,
  typed: (email: string) => `You typed ${email}.`,
  take: (meant: string) => `Use ${meant}`,
  phone: (phone: string) => `Is ${phone} right?`,
  phoneHint: 'No U.S. phone number has a 0 or 1 at the start, or after the area code.',
  keep: 'Keep what I typed',
  correct: 'Let me correct it',
}

/** The links below the questions: up to the form and, if the school has given its number, to a call. */
export const formLinkTexts = { form: 'Start your request', call: 'or call' }

/** For each degree type, the heading above its programs and the text for their number. */
export const degreeLabels = {
  Bachelors: { plural: 'Bachelor’s degrees', counted: (count: number) => `${count} bachelor’s` },
  Masters: { plural: 'Master’s degrees', counted: (count: number) => `${count} master’s` },
  Certificate: {
    plural: 'Certificates',
    counted: (count: number) => `${count} certificate${count === 1 ? '' : 's'}`,
  },
} satisfies Record<DegreeType, object>

/** The words before the school's telephone number, for people whose graduation year the form refuses. */
export const callBeforeYear = (year: number): string => `Finished before ${year}? Call the school:`

export const graduatingYearHint =
  'The school uses your graduation year to see which programs are open to you.'
