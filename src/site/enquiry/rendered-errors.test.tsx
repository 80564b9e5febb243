import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { makeAddressNotice, submissionErrorNotice } from '#content/messages.ts'
import { advancePostedStep, advanceStep, goToFirstError } from '#domain/enquiry/advance-step.ts'
import {
  anyApiErrors,
  anyEnquiry,
  anyMove,
  anyServices,
  ruleContext,
} from '#tests/enquiry/any-enquiry.ts'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { EnquiryApp } from './enquiry-app.tsx'
import { formReducer } from './form-reducer.ts'
import { type FormState, makeInitialState } from './form-state.ts'
import { lazyFormParts } from './lazy-form-parts.ts'

/** Checks that every message is beside a visible control, and that every link above the form leads to a control. */
function expectErrorsShown({ enquiry, errors, notice, question }: Partial<FormState>) {
  if (enquiry === undefined || enquiry.step === 4) return
  const posted = { enquiry, errors: errors ?? {}, notice, question }
  const html = renderToStaticMarkup(
    <EnquiryApp {...exampleForm} posted={posted} lazyParts={lazyFormParts} />,
  )
  const controls = [...html.matchAll(/<(?:input|select)[^>]*>/g)].map(([control]) => control)
  const isShown = (id: string) =>
    controls.some((control) => control.includes(`id="${id}"`) && !control.includes('"hidden"'))
  const named = Object.keys(posted.errors).map((field) => `field-${field}`)
  const linked = [...html.matchAll(/href="#(field-[^"]*)"/g)].map(([, id]) => `${id}`)
  expect([...named, ...linked].filter((id) => !isShown(id))).toEqual([])
  expect(linked).toEqual(expect.arrayContaining(named))
  for (const id of named) {
    expect(html).toContain(`id="${id}-error"`)
    // Screen readers read the message with its control.
    const described = /aria-describedby="([^"]*)"/
    const describedBy = controls
      .find((control) => control.includes(`id="${id}"`))
      ?.match(described)?.[1]
    expect(describedBy?.split(' ')).toContain(`${id}-error`)
  }
}

describe('an error appears beside its visible control', () => {
  it('on the server’s page', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, anyMove, async (at, services, move) => {
        const { fault, ...taken } = await advancePostedStep(at, move, { ruleContext, services })
        expectErrorsShown({ ...taken, notice: fault && makeAddressNotice(fault) })
      }),
      { numRuns: 60 },
    ))

  it('in the browser, after Next', () =>
    fc.assert(
      fc.asyncProperty(anyEnquiry, anyServices, async (at, services) => {
        const { fault, ...response } = await advanceStep(at, { ruleContext, services })
        const notice = fault && makeAddressNotice(fault)
        const before = makeInitialState({ posted: { enquiry: at, errors: {} } })
        const action = { type: 'responded', response: { ...response, notice } } as const
        expectErrorsShown(formReducer(before, action))
      }),
      { numRuns: 60 },
    ))

  it('in the browser, after the API has refused', () =>
    fc.assert(
      fc.property(anyEnquiry, anyApiErrors, (at, errors) => {
        const before = makeInitialState({ posted: { enquiry: at, errors: {} } })
        const response = { ...goToFirstError(at, errors), notice: submissionErrorNotice }
        expectErrorsShown(formReducer(before, { type: 'responded', response }))
      }),
      { numRuns: 60 },
    ))
})
