// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { rehearseSteps } from './rehearse-steps.tsx'
import { stepLogic } from './step-logic.ts'

it('renders the first step’s errors and the second step outside the page, and calls no service', async () => {
  const fetched = vi.fn(() => Promise.reject(new Error('no service should be called')))
  vi.stubGlobal('fetch', fetched)
  const page = document.body.innerHTML
  const ProblemSummary = vi.fn(stepLogic.ProblemSummary)
  const address = vi.fn(stepLogic.fields.address)
  const fields = { ...stepLogic.fields, address }
  rehearseSteps(exampleForm, { ...stepLogic, fields, ProblemSummary })
  await untilPasses(() => expect(address).toHaveBeenCalled())
  expect(ProblemSummary.mock.calls[0]?.[0].errors).toHaveProperty('firstName')
  expect(document.body.innerHTML).toBe(page)
  expect(fetched).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
