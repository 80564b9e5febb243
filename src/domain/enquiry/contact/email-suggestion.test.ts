import { describe, expect, it } from 'vitest'
import { emailSuggestion, emailSuggestionWhileTyping } from './email-suggestion.ts'

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

describe('while it is typed', () => {
  it.each(['gmail.com', 'gmail.com.', 'hotmail.com', 'live.co.uk', 'att.net'])(
    'nothing is said on the way to %s',
    (domain) => {
      for (let end = 0; end <= domain.length; end += 1) {
        expect(emailSuggestionWhileTyping(`ada@${domain.slice(0, end)}`)).toBeUndefined()
      }
    },
  )

  it('a slip is asked about at its last letter, and one that may still become right once it is left', () => {
    expect(emailSuggestionWhileTyping('ada@gmial.com')).toBe('ada@gmail.com')
    expect(emailSuggestionWhileTyping('ada@gmail.co')).toBeUndefined()
    expect(emailSuggestion('ada@gmail.co')).toBe('ada@gmail.com')
  })
})
