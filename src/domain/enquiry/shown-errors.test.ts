import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyApiErrors,
  anyEnquiry,
  anyMove,
  anyServices,
  facts,
} from '#tests/enquiry/any-enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { type Enquiry, hasErrors, noAnswers, shownFields } from './enquiry.ts'
import { stepErrors } from './rules.ts'
import { steps } from './steps.ts'
import { type StepTaken, takePostedStep, takeStep, withErrors } from './take-step.ts'

function expectAllShown({ enquiry, errors }: Pick<StepTaken, 'enquiry' | 'errors'>) {
  expect(shownFields(enquiry)).toEqual(expect.arrayContaining(Object.keys(errors)))
  expect(Object.values(errors)).not.toContain('')
}

describe('every error belongs to a visible field of the step', () => {
  it('after Next in the browser', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, async (at, services) => {
        expectAllShown(await takeStep(at, { facts, services }))
      }),
      { numRuns: 500 },
    ))

  it('after Next without JavaScript', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, anyMove, async (at, services, move) => {
        expectAllShown(await takePostedStep(at, move, { facts, services }))
      }),
      { numRuns: 500 },
    ))

  it('after the API has refused the enquiry', () =>
    fc.assert(
      fc.property(anyEnquiry, anyApiErrors, (at, errors) => {
        const shown = withErrors(at, errors)
        expectAllShown(shown)
        expect(hasErrors(shown.errors)).toBe(hasErrors(errors))
      }),
    ))
})

it('a visitor who corrects the shown errors is not refused at the end', () =>
  fc.assert(
    fc.asyncProperty(anyEnquiry, fc.infiniteStream(anyServices), async (begun, answering) => {
      let at: Enquiry = { ...begun, step: 0, answers: { ...noAnswers } }
      for (let presses = 0; presses < 12; presses++) {
        const right = shownFields(at).map((field) => [field, exampleAnswers[field]])
        const typed = { ...at, answers: { ...at.answers, ...Object.fromEntries(right) } }
        const [services] = answering.take(1)
        if (services === undefined) throw new Error('no services')
        const taken = await takeStep(typed, { facts, services })
        // Only the visitor can correct an address that the check refuses.
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
    { numRuns: 300 },
  ))
