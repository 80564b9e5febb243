import * as v from 'valibot'
import { educationLevels, offerPrograms, type Program } from '../catalogue/catalogue.ts'
import { isEmail } from './contact.ts'
import { type Answers, type FieldErrors, hasErrors } from './enquiry.ts'
import { phoneNumber } from './phone.ts'
import { stateCode } from './state-code.ts'
import { type Step, type StepId, type StepNumber, steps, thankYouStep } from './steps.ts'
import { tidyAnswers, tidyLine } from './tidy-answers.ts'

/** When the student would like to start. The ids are ours; the distributor is sent one fixed id (reading 7). */
export const startDates = [
  { id: 'immediately', name: 'Immediately' },
  { id: 'one-to-three-months', name: '1-3 Months' },
  { id: 'four-to-six-months', name: '4-6 Months' },
] as const

/** The context of the rules beyond the answers. */
export interface Facts {
  readonly currentYear: number
  /** Whether a program id, as text, may be chosen. */
  readonly isOffered: (programId: string) => boolean
}

/** A step's rules: each field's, with its message. */
export type Rules = (facts: Facts) => v.GenericSchema<unknown, Partial<Answers>>

/** A line that a person typed: tidied, present, of a sane length. */
const line = (missing: string, maxLength: number) =>
  v.pipe(
    v.string(missing),
    v.transform(tidyLine),
    v.nonEmpty(missing),
    v.maxLength(maxLength, `Use at most ${maxLength} characters.`),
  )

/** Primary Information. */
const aboutYouRules: Rules = () =>
  v.object({
    firstName: line('Enter your first name.', 100),
    lastName: line('Enter your last name.', 100),
    phone: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your phone number.'),
      v.check(
        (text) => phoneNumber(text) !== undefined,
        'Enter a 10-digit U.S. phone number, like (941) 555-0100.',
      ),
    ),
    email: v.pipe(
      line('Enter your email address.', 254),
      v.check(isEmail, 'Enter an email address like name@example.com.'),
    ),
  })

/** Address Information. City and state come from the address check, or by hand after a fault (reading 11). */
const addressRules: Rules = () =>
  v.object({
    // Google takes at most 280 characters for street and ZIP in one line.
    address: line('Enter your street address.', 200),
    zip: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your ZIP code.'),
      v.regex(/^\d{5}$/, 'Enter the 5 digits of your ZIP code.'),
    ),
    city: line('Enter your city.', 100),
    state: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your state.'),
      v.check((text) => stateCode(text) !== undefined, 'Enter your state, like FL or Florida.'),
      // The form writes a name as its letters before; who writes a program writes these.
      v.length(2, 'Enter the two letters of your state, like FL.'),
    ),
  })

const earliestGraduatingYear = 1990

/** The upper bound is ours: a typing error otherwise gives a negative age (reading 13). */
const latestGraduatingYear = (currentYear: number): number => currentYear + 10

const levelIds = educationLevels.map(({ id }) => String(id))

/** Education Information. */
const yourEducationRules: Rules = ({ currentYear }) => {
  const latest = latestGraduatingYear(currentYear)
  return v.object({
    previousEducation: v.picklist(levelIds, 'Choose your education level.'),
    graduatingYear: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your graduation year.'),
      v.regex(/^\d{4}$/, 'Enter the year with 4 digits, like 2012.'),
      v.check(
        (text) => Number(text) >= earliestGraduatingYear && Number(text) <= latest,
        `Enter a year from ${earliestGraduatingYear} to ${latest}.`,
      ),
    ),
  })
}

const startDateIds = startDates.map(({ id }) => id as string)

/** Desired Program. */
const programRules: Rules = ({ isOffered }) =>
  v.object({
    desiredProgram: v.pipe(
      v.string(),
      v.nonEmpty('Choose the program that interests you.'),
      // It was taken out of the catalogue meanwhile, or the education level changed.
      v.check(isOffered, 'This program is not available here. Please choose another one.'),
    ),
    startDate: v.picklist(startDateIds, 'Choose when you would like to start.'),
    confirmation: v.literal('on', 'Check the box to agree, so that the school may contact you.'),
  })

const rules: Record<StepId, Rules> = {
  'about-you': aboutYouRules,
  address: addressRules,
  'your-education': yourEducationRules,
  program: programRules,
}

type BuiltRules = Partial<Record<StepId, ReturnType<Rules>>>
const built = new WeakMap<Facts, BuiltRules>()

/** Building a step's rules takes longer than using them, and a server uses the same for every lead. */
function rulesOf(id: StepId, facts: Facts): ReturnType<Rules> {
  const ofFacts = built.get(facts) ?? {}
  built.set(facts, ofFacts)
  ofFacts[id] ??= rules[id](facts)
  return ofFacts[id]
}

/** The first message for each field of the step that needs one. Empty when the step is answered. */
export function stepErrors({ id }: Step, answers: Answers, facts: Facts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(rulesOf(id, facts), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}

/**
 * The rules' context while a form is being filled in: only a program from its list may be chosen.
 * @param ofArea the area's programs: see `programsOfArea`
 */
export function formFacts(
  ofArea: readonly Program[],
  currentYear: number,
  answers: Answers,
): Facts {
  const { programs } = offerPrograms(ofArea, Number(answers.previousEducation))
  return { currentYear, isOffered: (id) => programs.some((program) => String(program.id) === id) }
}

/** The first step that still needs an answer, so that nobody can skip ahead; {@link thankYouStep} when none does. */
export function firstUnanswered(answers: Answers, facts: Facts): StepNumber {
  const tidy = tidyAnswers(answers)
  const index = steps.findIndex((step) => hasErrors(stepErrors(step, tidy, facts)))
  return index === -1 ? thankYouStep : (index as StepNumber)
}
