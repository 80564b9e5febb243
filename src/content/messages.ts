import type { FieldErrors } from '#domain/enquiry/enquiry.ts'
import type { AddressFault } from '#domain/enquiry/take-step.ts'
import { offlineHint } from './fresh-form.ts'

/** The text of a toast, and its copy in the page (section 8). */
export interface Notice {
  readonly summary: string
  readonly detail: string
  /** Stays until it is closed; others go after the toast life of section 9. */
  readonly isSticky: boolean
  /** Only the message above the form adds this. */
  readonly more?: string
  /** How the visitor can go on: a link to a field that has no error. */
  readonly asks?: FieldErrors
}

const goOnByHand = 'Please enter your city and state, then select Next.'
const confirmPlace = 'Please check your city and state, then select Next.'

/**
 * Section 8, rows "Address check fails" and "Address call fails". Visitors never read a browser's
 * or service's error text: after the words of the specification comes what they can do.
 */
export const addressNotice = (fault: AddressFault): Notice => ({
  summary: 'Unable to validate address',
  detail:
    fault.kind === 'invalid-address'
      ? fault.message
      : `Error validating address: the address service is not available right now. ${fault.isPlaceKnown ? confirmPlace : goOnByHand}`,
  isSticky: true,
  ...(fault.kind === 'address-call' ? { asks: { city: 'Go to City and State' } } : {}),
})

/** The same row where the visitor's own connection is down: nothing can be checked, and nothing is asked by hand. */
export const offlineAddressNotice: Notice = {
  summary: 'Unable to validate address',
  detail: `Error validating address: ${offlineHint}`,
  isSticky: true,
}

/**
 * Shown beside the fields for city and state when the visitor enters them (rulings 11 and 12); the
 * summary says what to do.
 */
export const byHandHint = 'We could not find your city and state.'

/** The same where they are the ZIP's. */
export const fromZipHint = 'The city and state of your ZIP code:'

/** Asked where the visitor has entered another state than the ZIP's. Each as its name and letters. */
export const otherState = (zip: string, zipState: string, state: string): string =>
  `ZIP code ${zip} is in ${zipState}. You entered ${state}.`

export const otherStateHint = 'Correct the ZIP code or the state, or select Next to keep both.'

/** Section 8, row "Submission fails". */
export const submissionNotice: Notice = {
  summary: 'Unable to Submit Information',
  detail:
    'There was an error submitting your information. Please check the information entered and try again.',
  isSticky: false,
}

/** The same where our server could not store the enquiry. */
export const notStoredNotice: Notice = {
  ...submissionNotice,
  more: 'The problem is on our side. Your answers are kept: please try again in a few minutes.',
}

/** Said where the visitor's network has sent too many enquiries. */
export const tooManyEnquiries = (seconds: number): string =>
  `We have received many requests from your network. Your answers are kept. Please try again in ${describeWait(seconds)}.`

export const tooManyNotice = (seconds: number): Notice => ({
  ...submissionNotice,
  detail: tooManyEnquiries(seconds),
  isSticky: true,
})

const describeWait = (seconds: number): string => {
  if (seconds === 1) return 'a second'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The heading above what needs the visitor. */
export const problemHeading = 'There is a problem'

/** Section 8, "Dropdown empty state": replaces a list's first option when there is nothing to choose. */
export const nothingToChoose = (list: string): string =>
  `No ${list.toLowerCase()} to choose from right now`

/** Section 2, thank-you screen. */
export const thankYou = {
  heading: 'Information Received',
  text: 'We have received your submission. Someone from the school will contact you soon.',
  program: (name: string): string => `Your program: ${name}`,
  another: 'Send another request',
  /** Said above the form that comes after it. */
  already: (reference: string): string =>
    `We have received your request. Its reference number is ${reference}. Use this form to send another one.`,
}

/** Said with the list of programs. */
export const programHints = {
  wholeArea: 'No program matches your education level, so the list shows all of them.',
  /** A link or an earlier answer chose what the level rules out. */
  notOpen: (program: string): string =>
    `${program} is not listed for your education level. These are.`,
}

/** Told to a visitor whose browser asks not to sell or share data (Global Privacy Control). */
export const doNotSellNotice = {
  heard: 'Your browser asked us not to sell your data; we honor that.',
  meaning: (school: string): string =>
    `No advertising service learns of your visit. What you send us still goes to ${school}, as you ask.`,
  more: 'More about this signal',
}

/** Tells the student who has the data, who calls, and how to stop. */
export const whatHappensNext = (school: string, operator: string): readonly string[] => [
  `${operator} sends your request to ${school}, as the privacy policy describes.`,
  `Someone from ${school} contacts you by phone or email.`,
  'If you change your mind, use the links at the foot of this page to unsubscribe or to have your data deleted.',
]

/** The text beside a question about an address. Each can be passed over. */
export const addressQuestion = {
  suggestion: (street: string) => `Did you mean ${street}?`,
  take: (street: string) => `Use ${street}`,
  unknown: 'Is this street right?',
  unknownHint: 'We could not find it. Please check it, or keep it as it is.',
  keep: 'Keep what I typed',
  unit: 'Which apartment or unit is yours?',
  unitHint: 'This building seems to have more than one apartment or unit.',
  unitLabel: 'Apartment or unit',
  addUnit: 'Add it',
  noUnit: 'My address has no unit',
}

/** The text beside a question about phone or email. It can be passed over. */
export const contactQuestion = {
  email: (meant: string) => `Did you mean ${meant}?`,
  take: (meant: string) => `Use ${meant}`,
  phone: (phone: string) => `Is ${phone} right?`,
  phoneHint: 'No U.S. phone number has a 0 or 1 at the start, or after the area code.',
  keep: 'Keep what I typed',
}

/** Behind the question mark of the graduation year. */
export const graduatingYearReason = 'The school uses it to see which programs are open to you.'
