import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import type { AddressServices } from './address-check.ts'
import { type Answers, fields, noAnswers } from './answers.ts'
import type { Enquiry } from './enquiry.ts'
import { newEnquiry } from './enquiry.ts'
import { pointOut } from './point-out.ts'
import type { Facts } from './rules.ts'
import { addressKey } from './settled-address.ts'
import { shownFields } from './shown-fields.ts'
import { stepErrors } from './step-errors.ts'
import { steps } from './steps.ts'
import { takePostedStep } from './take-posted-step.ts'
import { type StepTaken, takeStep } from './take-step.ts'

const facts: Facts = { currentYear: 2026, isOffered: (id) => id === '8' }

const text = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(' ', '\t', '\0', 'FL', 'Florida', '34236-5610', 'x'.repeat(300)),
)
const answers: fc.Arbitrary<Answers> = fc.record(
  Object.fromEntries(
    fields.map((field) => [field, fc.oneof(fc.constant(exampleAnswers[field]), text)]),
  ) as { [F in keyof Answers]: fc.Arbitrary<string> },
)

/** Any way through the form, with hidden fields that somebody may have changed. */
const enquiry: fc.Arbitrary<Enquiry> = fc
  .record({
    answers,
    step: fc.constantFrom(0, 1, 2, 3),
    by: fc.constantFrom('nobody', 'check', 'hand'),
    isKnown: fc.boolean(),
  })
  .map(({ answers, step, by, isKnown }) => ({
    ...newEnquiry,
    answers,
    step,
    standing: { checkedFor: isKnown ? addressKey(answers) : '', by, zipPlus4: '' },
  }))

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const postalAddress = fc.record({
  addressLines: maybe(fc.array(text, { maxLength: 2 })),
  postalCode: maybe(fc.oneof(fc.constant('34236-5610'), text)),
  administrativeArea: maybe(text),
  locality: maybe(fc.oneof(fc.constant('Sarasota'), text)),
})
const doubts = fc.subarray(['street-corrected', 'unit-missing', 'street-unknown'] as const)
const services: fc.Arbitrary<AddressServices> = fc
  .record({
    zip: maybe(
      fc.record({
        status: fc.constantFrom('OK', 'ok', 'ZERO_RESULTS', ''),
        city: maybe(text),
        state: maybe(text),
      }),
    ),
    found: maybe(fc.record({ postalAddress, doubts })),
  })
  .map(({ zip, found }) => ({
    lookUpZip: async () => zip ?? Promise.reject(new Error('down')),
    validateAddress: async () => found ?? Promise.reject(new Error('down')),
  }))

function expectAllShown({ enquiry, errors }: Pick<StepTaken, 'enquiry' | 'errors'>) {
  expect(shownFields(enquiry)).toEqual(expect.arrayContaining(Object.keys(errors)))
  expect(Object.values(errors)).not.toContain('')
}

describe('every error stands on a field of the step that is shown', () => {
  it('after Next in the browser', () =>
    fc.assert(
      fc.asyncProperty(enquiry, services, async (at, services) => {
        expectAllShown(await takeStep(at, { facts, services }))
      }),
      { numRuns: 2000 },
    ))

  it('after Next without JavaScript', () =>
    fc.assert(
      fc.asyncProperty(
        enquiry,
        services,
        fc.constantFrom('next' as const, 'back' as const),
        fc.record({ suggestion: text, unit: text }),
        async (at, services, move, reply) => {
          expectAllShown(await takePostedStep(at, { move, reply }, { facts, services }))
        },
      ),
      { numRuns: 2000 },
    ))

  it('after the API has refused what was sent', () =>
    fc.assert(
      fc.property(enquiry, fc.subarray([...fields]), (at, refused) => {
        const errors = Object.fromEntries(refused.map((field) => [field, 'a message']))
        const shown = pointOut(at, errors)
        expectAllShown(shown)
        expect(Object.keys(shown.errors).length > 0).toBe(refused.length > 0)
      }),
    ))
})

it('who mends what is shown gets through, and is not refused at the end', () =>
  fc.assert(
    fc.asyncProperty(enquiry, fc.infiniteStream(services), async (begun, answering) => {
      let at: Enquiry = { ...begun, step: 0, answers: { ...noAnswers } }
      for (let presses = 0; presses < 12; presses++) {
        const right = shownFields(at).map((field) => [field, exampleAnswers[field]])
        const typed = { ...at, answers: { ...at.answers, ...Object.fromEntries(right) } }
        const [services] = answering.take(1)
        if (services === undefined) throw new Error('no services')
        const taken = await takeStep(typed, { facts, services })
        // Another ZIP or street is asked for, which is a visitor's to give.
        if (taken.fault?.kind === 'invalid-address') return
        if (taken.isComplete) {
          const { answers } = taken.enquiry
          const refused = steps.map((step) => stepErrors(step, answers, facts))
          expect(refused).toEqual(steps.map(() => ({})))
          return
        }
        at = taken.enquiry
      }
      throw new Error(`still on step ${at.step}`)
    }),
    { numRuns: 1000 },
  ))
