import { expect, it } from 'vitest'
import { emailSuggestion } from './email-suggestion.ts'

it.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmal.com', 'ada@gmail.com'],
  ['ada@gmaill.com', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['Ada.L@Hotmial.com', 'Ada.L@hotmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
])('%s: did you mean %s?', (typed, meant) => {
  expect(emailSuggestion(typed)).toBe(meant)
})

it.each(['ada@gmail.com', 'ada@mail.com', 'ada@example.edu', 'ada@', 'ada', '@gmial.com', ''])(
  'says nothing of "%s"',
  (typed) => {
    expect(emailSuggestion(typed)).toBeUndefined()
  },
)
