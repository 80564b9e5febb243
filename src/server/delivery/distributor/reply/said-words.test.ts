import { expect, test } from 'vitest'
import { saidWords } from './said-words.ts'

test('keeps what the distributor says, on one line, without what moves a terminal or PostgreSQL refuses', () => {
  expect(saidWords(' Reached the\r\nmonthly cap\u0000\u009b2J for program 12\u202e ')).toBe(
    'Reached the  monthly cap2J for program 12',
  )
})

test('cuts at 1,000 characters, and whole ones', () => {
  const cut = saidWords('é😀 '.repeat(20_000)) ?? ''
  expect([...cut]).toHaveLength(1000)
  expect(cut.endsWith('…')).toBe(true)
  expect(cut.isWellFormed()).toBe(true)
  expect(saidWords('é'.repeat(1000))).toBe('é'.repeat(1000))
})

test('what has nothing to see says nothing', () => {
  for (const text of ['', ' \n ', '\u200b\u0000']) expect(saidWords(text)).toBeUndefined()
})
