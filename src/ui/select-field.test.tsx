import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SelectField } from './select-field.tsx'

const optionsOf = (label: string, options: readonly string[]) => {
  const html = renderToStaticMarkup(
    <SelectField
      name="list"
      label={label}
      error={undefined}
      value=""
      placeholder={{ value: '', text: 'Choose one' }}
    >
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </SelectField>,
  )
  return [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text)
}

test.each([
  ['Education level', 'No education level to choose from right now'],
  ['Program', 'No program to choose from right now'],
  ['Start date', 'No start date to choose from right now'],
])('the empty list %s says so', (label, text) => {
  expect(optionsOf(label, [])).toEqual([text])
  expect(optionsOf(label, ['One'])).toEqual(['Choose one', 'One'])
})
