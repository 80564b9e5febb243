import {
  educationLevels,
  findProgram,
  type Program,
  toProgramOptions,
} from '../catalogue/catalogue.ts'
import { type Answers, type Field, type FieldErrors, fields, hasErrors } from './answers.ts'
import { isEmail } from './contact.ts'
import { type Step, type StepNumber, steps, thankYouStep } from './enquiry.ts'
import { normalizeEmail, normalizeLine, normalizeYear, normalizeZip } from './normalize-answers.ts'
import { normalizePhone, parsePhoneNumber } from './phone.ts'
import { findStateCode } from './state-code.ts'

/** The options for the student's start date. The ids are our own; the distributor receives one fixed id (reading 7). */
export const startDates = [
  { id: 'immediately', name: 'Immediately' },
  { id: 'one-to-three-months', name: 'In 1–3 months' },
  { id: 'four-to-six-months', name: 'In 4–6 months' },
] as const

/** What the rules need to know besides the answers. */
export interface RuleContext {
  readonly currentYear: number
  /** Returns whether a visitor may choose the program with this id. */
  readonly isOffered: (programId: string) => boolean
  /** Returns whether the area offers the program, but not to people with the visitor's education level. */
  readonly isClosed?: (programId: string) => boolean
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

/** One rule, the error message of an answer that breaks it, and whether a text keeps it. */
type Check = readonly [rule: RuleName, message: string, isKept: (text: string) => boolean]

interface AnswerRule {
  /** Converts what visitors type to the format that the checks and our own API expect; absent for chosen answers. */
  readonly normalize?: (text: string) => string
  /** The checks, of which the first broken one counts. */
  readonly checks: (context: RuleContext) => readonly Check[]
}

const checkLength = (maxLength: number): Check => [
  'too-long',
  `Use at most ${maxLength} characters.`,
  (text) => normalizeLine(text).length <= maxLength,
]

const checkTyped = (message: string): Check => [
  'missing',
  message,
  (text) => normalizeLine(text) !== '',
]

const checkFormat = (message: string, isRight: (text: string) => boolean): Check => [
  'format',
  message,
  (text) => isRight(text.trim()),
]

const makeLineRule = (missing: string, maxLength: number): AnswerRule => ({
  normalize: normalizeLine,
  checks: () => [checkTyped(missing), checkLength(maxLength)],
})

const makeChoiceRule = (missing: string, choices: readonly string[]): AnswerRule => ({
  checks: () => [['missing', missing, (text) => choices.includes(text)]],
})

export const earliestGraduatingYear = 1990

/** What each answer has to be. The visitor enters city and state only if the address check fails (reading 11). */
const answerRules: Readonly<Record<Field, AnswerRule>> = {
  firstName: makeLineRule('Enter your first name.', 100),
  lastName: makeLineRule('Enter your last name.', 100),
  phone: {
    normalize: normalizePhone,
    checks: () => [
      checkTyped('Enter your phone number.'),
      checkFormat('Enter a 10-digit U.S. number.', (text) => parsePhoneNumber(text) !== undefined),
    ],
  },
  email: {
    normalize: normalizeEmail,
    checks: () => [
      checkTyped('Enter your email address.'),
      checkLength(254),
      checkFormat('Enter it like name@example.com.', (text) => isEmail(normalizeLine(text))),
    ],
  },
  // Google takes at most 280 characters for street and ZIP in one line.
  address: makeLineRule('Enter your street address.', 200),
  zip: {
    normalize: normalizeZip,
    checks: () => [
      checkTyped('Enter your ZIP code.'),
      checkFormat('Enter the 5 digits of your ZIP code.', (text) => /^\d{5}$/.test(text)),
    ],
  },
  city: makeLineRule('Enter your city.', 100),
  state: {
    normalize: (text) => findStateCode(text) ?? normalizeLine(text),
    checks: () => [
      checkTyped('Enter your state.'),
      checkFormat(
        'Enter your state, like FL or Florida.',
        (text) => findStateCode(text) !== undefined,
      ),
      // The form converts a state's name to two letters before this rule applies. API clients must send the letters.
      checkFormat('Enter the two letters of your state, like FL.', (text) => text.length === 2),
    ],
  },
  educationLevel: makeChoiceRule(
    'Choose your education level.',
    educationLevels.map(({ id }) => String(id)),
  ),
  graduatingYear: {
    normalize: normalizeYear,
    checks: ({ currentYear }) => {
      // The limit keeps a mistyped year from giving a negative age (reading 13).
      const latest = currentYear + 10
      return [
        checkTyped('Enter your graduation year.'),
        checkFormat('Enter the year with 4 digits, like 2012.', (text) => /^\d{4}$/.test(text)),
        [
          'range',
          `Enter a year from ${earliestGraduatingYear} to ${latest}.`,
          (text) => Number(text) >= earliestGraduatingYear && Number(text) <= latest,
        ],
      ]
    },
  },
  programId: {
    checks: ({ isOffered }) => [
      ['missing', 'Choose a program.', (text) => text !== ''],
      // The operator may have removed the program, or the visitor may have changed the education level.
      ['not-offered', 'This program is not available here. Please choose another one.', isOffered],
    ],
  },
  startDate: makeChoiceRule(
    'Choose a start date.',
    startDates.map(({ id }) => id),
  ),
  confirmation: makeChoiceRule('Check the box to agree, so that the school may contact you.', [
    'on',
  ]),
}

export const normalizeAnswer = (field: Field, text: string): string =>
  answerRules[field].normalize?.(text) ?? text

/** Normalizes answers to the format that the rules and our own API expect. */
export const normalizeAnswers = (answers: Answers): Answers =>
  Object.fromEntries(
    fields.map((field) => [field, normalizeAnswer(field, answers[field])]),
  ) as Answers

/** Returns the error message of each invalid field in a step; empty if all answers of the step are valid. */
export const findStepErrors = (step: Step, answers: Answers, context: RuleContext): FieldErrors =>
  Object.fromEntries(
    step.fields.flatMap((field) => {
      const broken = answerRules[field]
        .checks(context)
        .find(([, , isKept]) => !isKept(answers[field]))
      return broken ? [[field, broken[1]]] : []
    }),
  )

/** Lists each refused field with the name of its rule, such as `zip format`, but not the refused answer. */
export const listBrokenRules = (errors: FieldErrors, context: RuleContext): readonly string[] =>
  fields
    .filter((field) => errors[field])
    .map((field) => {
      const checks = answerRules[field].checks(context)
      return `${field} ${checks.find(([, message]) => message === errors[field])?.[0] ?? 'not-found'}`
    })

/** @param offeredPrograms the area's programs: see `findOfferedPrograms` */
export function makeRuleContext(
  offeredPrograms: readonly Program[],
  currentYear: number,
  answers: Answers,
): RuleContext {
  const { programs } = toProgramOptions(offeredPrograms, Number(answers.educationLevel))
  const isOffered = (id: string) => findProgram(programs, id) !== undefined
  const isClosed = (id: string) => findProgram(offeredPrograms, id) !== undefined && !isOffered(id)
  return { currentYear, isOffered, isClosed }
}

/** Returns the number of the first step without valid answers; {@link thankYouStep} if all answers are valid. */
export function findFirstUnansweredStep(answers: Answers, context: RuleContext): StepNumber {
  const normalized = normalizeAnswers(answers)
  const index = steps.findIndex((step) => hasErrors(findStepErrors(step, normalized, context)))
  return index === -1 ? thankYouStep : (index as StepNumber)
}
