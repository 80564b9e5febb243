// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { copyFormValues, readAnswer } from './form-controls.ts'

function formOf(html: string): HTMLFormElement {
  const form = document.createElement('form')
  form.innerHTML = html
  return form
}

const page = `
  <input name="year" value="2012">
  <select name="program"><option value="" selected>-</option><option value="8">M.B.A.</option></select>
  <input type="checkbox" name="agreed">
  <input type="radio" name="when" value="now" checked>
  <input type="radio" name="when" value="soon">
  <input type="radio" name="when" value="later">`

test('every entry is copied into the new form', () => {
  const from = formOf(page)
  const control = (selector: string) => from.querySelector<HTMLInputElement>(selector)
  Object.assign(control('[name=year]') ?? {}, { value: '2013' })
  Object.assign(control('[name=program]') ?? {}, { value: '8' })
  Object.assign(control('[name=agreed]') ?? {}, { checked: true })
  Object.assign(control('[value=later]') ?? {}, { checked: true })
  const to = formOf(page)
  copyFormValues(from, to, null)
  const names = ['year', 'program', 'agreed', 'when']
  expect(names.map((name) => readAnswer(to, name))).toEqual(['2013', '8', 'on', 'later'])
  // If `copyFormValues` copied a value, every radio button would have the chosen button's value.
  const values = [...to.querySelectorAll<HTMLInputElement>('[name=when]')].map(({ value }) => value)
  expect(values).toEqual(['now', 'soon', 'later'])
})

test('the same control of the new form has the focus', () => {
  const [from, to] = [formOf(page), formOf(page)]
  document.body.replaceChildren(from)
  const focused = from.querySelector('[value=soon]')
  document.body.append(to)
  copyFormValues(from, to, focused)
  expect(document.activeElement).toBe(to.querySelector('[value=soon]'))
})
