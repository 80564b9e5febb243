import { describe, expect, it } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { emptyAnswers, type Field, fields } from './answers.ts'
import { formatStepLabel, steps } from './enquiry.ts'
import {
  findFirstUnansweredStep,
  findStepErrors,
  listBrokenRules,
  type RuleContext,
} from './rules.ts'

const ruleContext: RuleContext = { currentYear: 2026, isOffered: (id) => id === '8' }

/** Returns the error message of the field's step for the value. */
function errorOf(field: Field, value: string): string | undefined {
  const step = steps.find(({ fields }) => fields.includes(field))
  if (step === undefined) throw new Error(`no step asks for ${field}`)
  return findStepErrors(step, { ...exampleAnswers, [field]: value }, ruleContext)[field]
}

it('asks about the person, the address, the education and the program, in four steps', () => {
  expect(steps.map(({ id }) => id)).toEqual(['about-you', 'address', 'your-education', 'program'])
  expect(steps.map((_, step) => formatStepLabel(step))).toEqual([
    'Step 1 of 4',
    'Step 2 of 4',
    'Step 3 of 4',
    'Step 4 of 4',
  ])
})

it('accepts a complete enquiry', () => {
  for (const step of steps) expect(findStepErrors(step, exampleAnswers, ruleContext)).toEqual({})
})

/** Optional fields have `required={false}` at their control. */
const optional: readonly Field[] = []

it.each(optional)('%s may be left out', (field) => {
  expect(errorOf(field, emptyAnswers[field])).toBeUndefined()
})

describe('every other field is required', () => {
  it.each(fields.filter((field) => !optional.includes(field)))('%s', (field) => {
    const missing = errorOf(field, emptyAnswers[field])
    expect(missing).toMatch(/^(Enter|Choose|Check)/)
    // In a typed field, spaces alone count as empty.
    if (missing?.startsWith('Enter')) expect(errorOf(field, '   ')).toBe(missing)
  })
})

describe('a refused field is counted by its rule', () => {
  it.each<[Field, string, string]>([
    ['firstName', '', 'missing'],
    ['firstName', 'x'.repeat(101), 'too-long'],
    ['phone', '', 'missing'],
    ['phone', '941', 'format'],
    ['email', 'ada', 'format'],
    ['zip', '3423', 'format'],
    ['state', 'Nowhere', 'format'],
    ['educationLevel', '-1', 'missing'],
    ['graduatingYear', '12', 'format'],
    ['graduatingYear', '1900', 'range'],
    ['programId', '9', 'not-offered'],
    ['startDate', '', 'missing'],
    ['confirmation', '', 'missing'],
  ])('%s with “%s”: %s', (field, value, rule) => {
    const errors = { [field]: errorOf(field, value) ?? '' }
    expect(listBrokenRules(errors, ruleContext)).toEqual([`${field} ${rule}`])
  })

  it('or by the address check if no rule has the message', () => {
    const errors = { zip: 'The ZIP code is unknown.' }
    expect(listBrokenRules(errors, ruleContext)).toEqual(['zip not-found'])
  })
})

// A field without a rule would store whatever an API client sends.
it.each(fields)('%s has a rule', (field) => {
  expect(errorOf(field, 'x'.repeat(1000))).toBeDefined()
})

describe('rules', () => {
  it.each<[Field, string, boolean]>([
    ['phone', '9415550100', true],
    ['phone', '941-555-0100', true],
    ['phone', '(941) 555-010', false],
    ['phone', '(941) 555-01000', false],
    ['phone', '941555010x', false],
    ['email', 'ada.lovelace+x@sub.example.co', true],
    ['email', 'ada@example', false],
    ['email', 'ada example.com', false],
    ['email', `${'a'.repeat(250)}@example.com`, false],
    ['firstName', 'Zoë-Marie O’Neill', true],
    ['firstName', '\r\n\u0000\u200B', false],
    ['lastName', 'x'.repeat(101), false],
    ['zip', '3423', false],
    ['zip', '342361', false],
    ['zip', '3423a', false],
    ['zip', '00501', true],
    ['state', 'Florida', false],
    ['educationLevel', '787', true],
    ['educationLevel', '793', false],
    ['graduatingYear', '1989', false],
    ['graduatingYear', '1990', true],
    ['graduatingYear', '2036', true],
    ['graduatingYear', '2037', false],
    ['graduatingYear', '12', false],
    ['graduatingYear', '2012.5', false],
    ['programId', '9', false],
    ['startDate', 'tomorrow', false],
    ['confirmation', 'yes', false],
  ])('%s "%s": accepted %s', (field, value, isAccepted) => {
    expect(errorOf(field, value) === undefined).toBe(isAccepted)
  })
})

describe('the first step that needs an answer', () => {
  it('is the first one, even if later steps are answered', () => {
    expect(findFirstUnansweredStep(emptyAnswers, ruleContext)).toBe(0)
    expect(findFirstUnansweredStep({ ...exampleAnswers, email: '' }, ruleContext)).toBe(0)
    expect(findFirstUnansweredStep({ ...exampleAnswers, city: '' }, ruleContext)).toBe(1)
    expect(findFirstUnansweredStep({ ...exampleAnswers, graduatingYear: '' }, ruleContext)).toBe(2)
    expect(findFirstUnansweredStep({ ...exampleAnswers, programId: '9' }, ruleContext)).toBe(3)
  })

  it('is the thank-you screen if every step is answered', () => {
    expect(findFirstUnansweredStep(exampleAnswers, ruleContext)).toBe(4)
  })
})
