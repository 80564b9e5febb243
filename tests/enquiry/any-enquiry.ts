import fc from 'fast-check'
import { type AddressServices, makeAddressKey } from '#domain/enquiry/address.ts'
import type { PostedNavigation } from '#domain/enquiry/advance-step.ts'
import { type Answers, fields } from '#domain/enquiry/answers.ts'
import { type Enquiry, emptyEnquiry, uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import type { RuleContext } from '#domain/enquiry/rules.ts'
import { exampleAnswers } from './example-answers.ts'

export const ruleContext: RuleContext = { currentYear: 2026, isOffered: (id) => id === '8' }

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

/** Generates any way through the form, with hidden fields that somebody may have changed. */
export const anyEnquiry: fc.Arbitrary<Enquiry> = fc
  .record({
    answers,
    step: fc.constantFrom(0, 1, 2, 3),
    by: fc.constantFrom('nobody', 'check', 'hand'),
    isKnown: fc.boolean(),
  })
  .map(({ answers, step, by, isKnown }) => ({
    ...emptyEnquiry,
    answers,
    step,
    addressCheck: {
      ...uncheckedAddress,
      checkedFor: isKnown ? makeAddressKey(answers) : '',
      by,
    },
  }))

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const postalAddress = fc.record({
  addressLines: maybe(fc.array(text, { maxLength: 2 })),
  postalCode: maybe(fc.oneof(fc.constant('34236-5610'), text)),
  administrativeArea: maybe(text),
  locality: maybe(fc.oneof(fc.constant('Sarasota'), text)),
})
const doubts = fc.subarray(['street-corrected', 'unit-missing', 'street-unknown'] as const)
export const anyServices: fc.Arbitrary<AddressServices> = fc
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

export const anyMove: fc.Arbitrary<PostedNavigation> = fc.record({
  move: fc.constantFrom('next', 'back'),
  reply: fc.record({ suggestion: text, unit: text }),
})

/** Generates any errors of the API, with any message for any fields. */
export const anyApiErrors = fc
  .subarray([...fields])
  .map((refused) => Object.fromEntries(refused.map((field) => [field, 'a message'])))
