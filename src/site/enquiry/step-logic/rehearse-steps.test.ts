// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { rehearseSteps } from './rehearse-steps.tsx'
import { stepLogic } from './step-logic.ts'

it('renders the first step with its errors outside the page, and asks no service', async () => {
  const fetched = vi.fn(() => Promise.reject(new Error('no service should be asked')))
  vi.stubGlobal('fetch', fetched)
  const ProblemSummary = vi.fn(stepLogic.ProblemSummary)
  rehearseSteps(exampleForm, { ...stepLogic, ProblemSummary })
  await untilPasses(() => expect(ProblemSummary).toHaveBeenCalled())
  expect(ProblemSummary.mock.lastCall?.[0].errors).toHaveProperty('firstName')
  expect(document.body.innerHTML).toBe('')
  expect(fetched).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
