import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyApiErrors,
  anyEnquiry,
  anyMove,
  anyServices,
  ruleContext,
} from '#tests/enquiry/any-enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import {
  type AdvanceResult,
  advancePostedStep,
  advanceStep,
  goToFirstError,
} from './advance-step.ts'
import { emptyAnswers, hasErrors } from './answers.ts'
import { type Enquiry, listVisibleFields, steps } from './enquiry.ts'
import { findStepErrors } from './rules.ts'

function expectAllShown({ enquiry, errors }: Pick<AdvanceResult, 'enquiry' | 'errors'>) {
  expect(listVisibleFields(enquiry)).toEqual(expect.arrayContaining(Object.keys(errors)))
  expect(Object.values(errors)).not.toContain('')
}

describe('every error belongs to a visible field of the step', () => {
  it('after Next in the browser', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, async (at, services) => {
        expectAllShown(await advanceStep(at, { ruleContext, services }))
      }),
      { numRuns: 500 },
    ))

  it('after Next without JavaScript', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, anyMove, async (at, services, move) => {
        expectAllShown(await advancePostedStep(at, move, { ruleContext, services }))
      }),
      { numRuns: 500 },
    ))

  it('after the API has refused the enquiry', () =>
    fc.assert(
      fc.property(anyEnquiry, anyApiErrors, (at, errors) => {
        const shown = goToFirstError(at, errors)
        expectAllShown(shown)
        expect(hasErrors(shown.errors)).toBe(hasErrors(errors))
      }),
    ))
})

it('a visitor who corrects all shown errors can send the enquiry', () =>
  fc.assert(
    fc.asyncProperty(anyEnquiry, fc.infiniteStream(anyServices), async (begun, answering) => {
      let at: Enquiry = { ...begun, step: 0, answers: { ...emptyAnswers } }
      for (let presses = 0; presses < 12; presses++) {
        const right = listVisibleFields(at).map((field) => [field, exampleAnswers[field]])
        const typed = { ...at, answers: { ...at.answers, ...Object.fromEntries(right) } }
        const [services] = answering.take(1)
        if (services === undefined) throw new Error('no services')
        const result = await advanceStep(typed, { ruleContext, services })
        // Only the visitor can correct an address that the check refuses.
        if (result.fault?.kind === 'invalid-address') return
        if (result.isComplete) {
          const { answers } = result.enquiry
          const refused = steps.map((step) => findStepErrors(step, answers, ruleContext))
          expect(refused).toEqual(steps.map(() => ({})))
          return
        }
        at = result.enquiry
      }
      throw new Error(`still on step ${at.step}`)
    }),
    { numRuns: 300 },
  ))
