import * as v from 'valibot'
import { educationLevels, type Program, toProgramOptions } from '../catalogue/catalogue.ts'
import { isEmail } from './contact.ts'
import { type Answers, type FieldErrors, hasErrors, type StepNumber } from './enquiry.ts'
import { normalizeAnswers, normalizeLine } from './normalize-answers.ts'
import { parsePhoneNumber } from './phone.ts'
import { findStateCode } from './state-code.ts'
import { type Step, type StepId, steps, thankYouStep } from './steps.ts'

/** The options for the student's start date. We chose the ids; the distributor receives one fixed id (reading 7). */
export const startDates = [
  { id: 'immediately', name: 'Immediately' },
  { id: 'one-to-three-months', name: '1-3 Months' },
  { id: 'four-to-six-months', name: '4-6 Months' },
] as const

/** The facts that the rules check the answers against. */
export interface RuleContext {
  readonly currentYear: number
  /** Returns whether a visitor may choose the program with this id. */
  readonly isOffered: (programId: string) => boolean
}

/** A step's rules: a schema for each field, with its error message. */
export type StepSchema = (facts: RuleContext) => v.GenericSchema<unknown, Partial<Answers>>

/** The names of the rules, by which refused fields are counted. `not-found`: the address check found nothing. */
export const ruleNames = [
  'missing',
  'too-long',
  'format',
  'range',
  'not-offered',
  'not-found',
] as const

export type RuleName = (typeof ruleNames)[number]

const namesByMessage = new Map<string, RuleName>()

/** Names the rule that refuses a field with the message, and returns the message. */
function nameRule(name: RuleName, message: string): string {
  namesByMessage.set(message, name)
  return message
}

/** Returns the fields that were refused, each with the name of its rule, as in `zip format`; never a value. */
export const listRefusals = (errors: FieldErrors): readonly string[] =>
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

const aboutYouRules: StepSchema = () =>
  v.object({
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

/** The rules of the address step. If the address check fails, the visitor enters city and state (reading 11). */
const addressRules: StepSchema = () =>
  v.object({
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
      // The form converts a state's name to two letters before the rule applies; API clients must send two letters.
      v.length(2, nameRule('format', 'Enter the two letters of your state, like FL.')),
    ),
  })

const earliestGraduatingYear = 1990

/** Returns the latest valid graduation year, so that a typing error cannot give a negative age (reading 13). */
const findMaxGraduatingYear = (currentYear: number): number => currentYear + 10

const levelIds = educationLevels.map(({ id }) => String(id))

const yourEducationRules: StepSchema = ({ currentYear }) => {
  const latest = findMaxGraduatingYear(currentYear)
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

const programRules: StepSchema = ({ isOffered }) =>
  v.object({
    desiredProgram: v.pipe(
      v.string(),
      v.nonEmpty(nameRule('missing', 'Choose the program that interests you.')),
      // The rule fails if the operator has removed the program, or the visitor has changed the education level.
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

const rules: Record<StepId, StepSchema> = {
  'about-you': aboutYouRules,
  address: addressRules,
  'your-education': yourEducationRules,
  program: programRules,
}

type BuiltRules = Partial<Record<StepId, ReturnType<StepSchema>>>
const rulesByFacts = new WeakMap<RuleContext, BuiltRules>()

/** Caches a step's rules, because building rules takes longer than using them. */
function findStepSchema(id: StepId, facts: RuleContext): ReturnType<StepSchema> {
  const rulesForFacts = rulesByFacts.get(facts) ?? {}
  rulesByFacts.set(facts, rulesForFacts)
  rulesForFacts[id] ??= rules[id](facts)
  return rulesForFacts[id]
}

/** Returns the first message for each field of the step with an error; empty if all answers are valid. */
export function findStepErrors({ id }: Step, answers: Answers, facts: RuleContext): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(findStepSchema(id, facts), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}

/**
 * Returns the facts for a visitor's form, in which only programs from the form's list may be chosen.
 *
 * @param offeredPrograms the area's programs: see `findOfferedPrograms`
 */
export function makeFormContext(
  offeredPrograms: readonly Program[],
  currentYear: number,
  answers: Answers,
): RuleContext {
  const { programs } = toProgramOptions(offeredPrograms, Number(answers.previousEducation))
  return { currentYear, isOffered: (id) => programs.some((program) => String(program.id) === id) }
}

/** Returns the first step that lacks a valid answer; {@link thankYouStep} if all answers are valid. */
export function findFirstUnansweredStep(answers: Answers, facts: RuleContext): StepNumber {
  const tidy = normalizeAnswers(answers)
  const index = steps.findIndex((step) => hasErrors(findStepErrors(step, tidy, facts)))
  return index === -1 ? thankYouStep : (index as StepNumber)
}
