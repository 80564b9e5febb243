import * as v from 'valibot'
import { educationLevels, type Program, toProgramOptions } from '../catalogue/catalogue.ts'
import { isEmail } from './contact.ts'
import { type Answers, type FieldErrors, hasErrors, type StepNumber } from './enquiry.ts'
import { normalizeAnswers, normalizeLine } from './normalize-answers.ts'
import { parsePhoneNumber } from './phone.ts'
import { findStateCode } from './state-code.ts'
import { type Step, type StepId, steps, thankYouStep } from './steps.ts'

/** The options for the student's start date. The ids are our own; the distributor receives one fixed id (reading 7). */
export const startDates = [
  { id: 'immediately', name: 'Immediately' },
  { id: 'one-to-three-months', name: '1-3 Months' },
  { id: 'four-to-six-months', name: '4-6 Months' },
] as const

/** What the rules need to know besides the answers. */
export interface RuleContext {
  readonly currentYear: number
  /** Returns whether a visitor may choose the program with this id. */
  readonly isOffered: (programId: string) => boolean
}

/** Why an answer is refused. The funnel counts the reasons. `not-found`: the address check did not find the address. */
export const ruleNames = [
  'missing',
  'too-long',
  'format',
  'range',
  'not-offered',
  'not-found',
] as const

type RuleName = (typeof ruleNames)[number]

const namesByMessage = new Map<string, RuleName>()

/** Records the name of the rule that has the message, and returns the message. */
function nameRule(name: RuleName, message: string): string {
  namesByMessage.set(message, name)
  return message
}

/** Lists each refused field with the name of its rule, such as `zip format`, but not the refused answer. */
export const listBrokenRules = (errors: FieldErrors): readonly string[] =>
  Object.entries(errors).map(
    ([field, message]) => `${field} ${namesByMessage.get(message) ?? 'not-found'}`,
  )

const makeLineSchema = (missing: string, maxLength: number) =>
  v.pipe(
    v.string(missing),
    v.transform(normalizeLine),
    v.nonEmpty(nameRule('missing', missing)),
    v.maxLength(maxLength, nameRule('too-long', `Use at most ${maxLength} characters.`)),
  )

const aboutYouSchema = v.object({
  firstName: makeLineSchema('Enter your first name.', 100),
  lastName: makeLineSchema('Enter your last name.', 100),
  phone: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(nameRule('missing', 'Enter your phone number.')),
    v.check(
      (text) => parsePhoneNumber(text) !== undefined,
      nameRule('format', 'Enter a 10-digit U.S. phone number, like (941) 555-0100.'),
    ),
  ),
  email: v.pipe(
    makeLineSchema('Enter your email address.', 254),
    v.check(isEmail, nameRule('format', 'Enter an email address like name@example.com.')),
  ),
})

/** The schema of the address step. The visitor enters city and state only if the address check fails (reading 11). */
const addressSchema = v.object({
  // Google takes at most 280 characters for street and ZIP in one line.
  address: makeLineSchema('Enter your street address.', 200),
  zip: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(nameRule('missing', 'Enter your ZIP code.')),
    v.regex(/^\d{5}$/, nameRule('format', 'Enter the 5 digits of your ZIP code.')),
  ),
  city: makeLineSchema('Enter your city.', 100),
  state: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(nameRule('missing', 'Enter your state.')),
    v.check(
      (text) => findStateCode(text) !== undefined,
      nameRule('format', 'Enter your state, like FL or Florida.'),
    ),
    // The form converts a state's name to two letters before this rule applies. API clients must send the letters.
    v.length(2, nameRule('format', 'Enter the two letters of your state, like FL.')),
  ),
})

const earliestGraduatingYear = 1990

const levelIds = educationLevels.map(({ id }) => String(id))

function makeYourEducationSchema({ currentYear }: RuleContext) {
  // The limit keeps a mistyped year from giving a negative age (reading 13).
  const latest = currentYear + 10
  return v.object({
    previousEducation: v.picklist(levelIds, nameRule('missing', 'Choose your education level.')),
    graduatingYear: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(nameRule('missing', 'Enter your graduation year.')),
      v.regex(/^\d{4}$/, nameRule('format', 'Enter the year with 4 digits, like 2012.')),
      v.check(
        (text) => Number(text) >= earliestGraduatingYear && Number(text) <= latest,
        nameRule('range', `Enter a year from ${earliestGraduatingYear} to ${latest}.`),
      ),
    ),
  })
}

const startDateIds = startDates.map(({ id }) => id as string)

const makeProgramSchema = ({ isOffered }: RuleContext) =>
  v.object({
    desiredProgram: v.pipe(
      v.string(),
      v.nonEmpty(nameRule('missing', 'Choose the program that interests you.')),
      // The operator may have removed the program, or the visitor may have changed the education level.
      v.check(
        isOffered,
        nameRule('not-offered', 'This program is not available here. Please choose another one.'),
      ),
    ),
    startDate: v.picklist(
      startDateIds,
      nameRule('missing', 'Choose when you would like to start.'),
    ),
    confirmation: v.literal(
      'on',
      nameRule('missing', 'Check the box to agree, so that the school may contact you.'),
    ),
  })

const makeStepSchema: Readonly<
  Record<StepId, (context: RuleContext) => v.GenericSchema<unknown, Partial<Answers>>>
> = {
  'about-you': () => aboutYouSchema,
  address: () => addressSchema,
  'your-education': makeYourEducationSchema,
  program: makeProgramSchema,
}

/** Returns the first error message of each invalid field in a step; empty if all answers of the step are valid. */
export function findStepErrors({ id }: Step, answers: Answers, context: RuleContext): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(makeStepSchema[id](context), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}

/** @param offeredPrograms the area's programs: see `findOfferedPrograms` */
export function makeRuleContext(
  offeredPrograms: readonly Program[],
  currentYear: number,
  answers: Answers,
): RuleContext {
  const { programs } = toProgramOptions(offeredPrograms, Number(answers.previousEducation))
  return { currentYear, isOffered: (id) => programs.some((program) => String(program.id) === id) }
}

/** Returns the number of the first step without valid answers; {@link thankYouStep} if all answers are valid. */
export function findFirstUnansweredStep(answers: Answers, context: RuleContext): StepNumber {
  const normalized = normalizeAnswers(answers)
  const index = steps.findIndex((step) => hasErrors(findStepErrors(step, normalized, context)))
  return index === -1 ? thankYouStep : (index as StepNumber)
}
