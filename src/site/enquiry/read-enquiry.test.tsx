// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import {
  type Enquiry,
  emptyEnquiry,
  type Step,
  type StepNumber,
  steps,
  uncheckedAddress,
} from '#domain/enquiry/enquiry.ts'
import { findStepErrors } from '#domain/enquiry/rules.ts'
import { ruleContext } from '#tests/enquiry/any-enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { EnquiryApp } from './enquiry-app.tsx'
import { readAnswer, readEnquiry } from './form-controls.ts'
import { lazyFormParts } from './lazy-form-parts.ts'

/** Reads the step's form from the server's markup. */
function formOf(enquiry: Enquiry): HTMLFormElement {
  const posted = { enquiry, errors: {} }
  return read(
    renderToStaticMarkup(<EnquiryApp {...exampleForm} posted={posted} lazyParts={lazyFormParts} />),
  )
}

function read(html: string): HTMLFormElement {
  document.body.innerHTML = html
  const form = document.querySelector('form')
  if (!form) throw new Error('there is no form')
  // happy-dom 21 ignores the `selected` attribute.
  for (const option of form.querySelectorAll<HTMLOptionElement>('option[selected]')) {
    option.selected = true
  }
  return form
}

/** With this address check, the form also shows city and state. */
const addressCheck = { ...uncheckedAddress, by: 'hand' } as const
const at = (step: number): Enquiry => ({ ...emptyEnquiry, step: step as StepNumber, addressCheck })
const fieldsWithSteps = steps.flatMap(({ fields }, step) =>
  fields.map((field) => [field, step] as const),
)

test.each(fieldsWithSteps)('%s has one readable control on step %i', (field, step) => {
  const form = formOf({ ...at(step), answers: exampleAnswers })
  const controls = [...form.querySelectorAll<HTMLInputElement>(`[name="${field}"]`)]
  const types = controls.map(({ type }) => type)
  expect(new Set(types).size, 'one control, or one group of radio buttons').toBe(1)
  if (types[0] !== 'radio') expect(types).toHaveLength(1)
  expect(types).not.toContain('hidden')
  expect(readEnquiry(form, at(step)).answers[field]).toBe(exampleAnswers[field])
  const isRequired = Boolean(findStepErrors(steps[step] as Step, emptyAnswers, ruleContext)[field])
  expect(
    controls.every((control) => control.required === isRequired),
    'required as the rules are',
  ).toBe(true)
})

test.each(steps.map(({ id }, step) => [id, step] as const))(
  'the untouched step %s has empty answers',
  (_, step) => {
    expect(readEnquiry(formOf(at(step)), at(step)).answers).toEqual(emptyAnswers)
  },
)

test('the answers of other steps stay', () => {
  const enquiry = { ...at(2), answers: exampleAnswers }
  expect(readEnquiry(formOf({ ...enquiry, answers: emptyAnswers }), enquiry).answers).toEqual({
    ...exampleAnswers,
    ...Object.fromEntries(steps[2]?.fields.map((field) => [field, emptyAnswers[field]]) ?? []),
  })
  expect(readEnquiry(null, enquiry)).toBe(enquiry)
})

test('the value of a radio group is the chosen button’s', () => {
  const radio = (value: string, rest = '') =>
    `<input type="radio" name="when" value="${value}"${rest}>`
  const chosen = (radios: string) => readAnswer(read(`<form>${radios}</form>`), 'when')
  expect(chosen(radio('now') + radio('soon', ' checked') + radio('later'))).toBe('soon')
  expect(chosen(radio('now') + radio('soon'))).toBe('')
  expect(chosen(radio('now'))).toBe('')
})

test.each(['', '<button name="when">', '<output name="when">now</output>'])(
  'a field without a readable control is an error: %s',
  (control) => {
    expect(() => readAnswer(read(`<form>${control}</form>`), 'when')).toThrow('when')
    expect(() => readEnquiry(read(`<form>${control}</form>`), at(2))).toThrow('no control')
  },
)
