import { expect, test } from 'vitest'
import { foldWords } from './error-words.ts'

test.each([
  ['Reached the monthly offer cap', 'Reached the monthly offer cap'],
  ['', ''],
  ['12345', ''],
  ['phone: has already been taken (lead 48213)', 'phone: has already been taken (lead …)'],
  [
    'Lead 019bc0de-0000-7000-8000-000000000000 exists since 2026-11-22T10:00:00Z',
    'Lead … exists since …',
  ],
  ['no: •••', 'no: …'],
  ['dead@example.com, (941) 555-0100 or +1 941 555 0100 is known', '… or … is known'],
  ['"Zoë" is no name, ‘Palm Avenue’ is no street', '… is no name, … is no street'],
  ['Duplicate of John A. Smith', 'Duplicate of …'],
  ['already sold to Mary-Ann O’Neill today', 'already sold to … today'],
  ['<html><head><title>502 Bad Gateway</title></head>', '… Bad Gateway'],
  ['token=Abc9dEf_12x-y is used', 'token=… is used'],
  ['{"error":"Internal Server Error","id":"a1"}', 'error: Internal Server Error, id: …'],
  ['It isn’t a valid ZIP', 'It isn’t a valid ZIP'],
])('%s', (said, words) => {
  expect(foldWords(said)).toBe(words)
})

test('the same words of different leads are the same', () => {
  const said = (id: number, email: string) => `Lead #${id}: ${email} was seen ${id * 7} days ago`
  expect(foldWords(said(7, 'a@example.com'))).toBe(foldWords(said(1234567, 'b.c@example.org')))
})

test('a page is cut', () => {
  expect(foldWords('word '.repeat(200)).length).toBeLessThanOrEqual(121)
})
