import { expect, test } from 'vitest'
import { extractCommonReason } from './error-group.ts'

const personal = ['Zoë', "O'Neill", '1 Palm Avenue', 'Sarasota']

test.each([
  ['Reached the monthly offer cap', 'Reached the monthly offer cap'],
  ['', ''],
  ['12345', ''],
  ['104', 'code 104'],
  ['phone: has already been taken (lead 48213)', 'phone: has already been taken (lead …)'],
  [
    'Lead 019bc0de-0000-7000-8000-000000000000 exists since 2026-11-22T10:00:00Z',
    'Lead … exists since …',
  ],
  ['dead@example.com, (941) 555-0100 or +1 941 555 0100 is known', '… or … is known'],
  ['"John" is no name, ‘Palm Road’ is no street', '… is no name, … is no street'],
  ["Duplicate of Zoë O'NEILL in Sarasota, zoë", "Duplicate of … O'… in … zoë"],
  ['We know Zoëlle', 'We know Zoëlle'],
  ['<html><head><title>502 Bad Gateway</title></head>', '… Bad Gateway'],
  ['token=Abc9dEf_12x-y is used', 'token=… is used'],
  ['{"error":"Internal Server Error","id":"a1"}', 'error: Internal Server Error, id: …'],
  ['It isn’t a valid ZIP', 'It isn’t a valid ZIP'],
])('reduces %s', (response, reason) => {
  expect(extractCommonReason(response, personal)).toBe(reason)
})

test('gives different leads with the same problem the same reason', () => {
  const response = (id: number, email: string) =>
    `Lead #${id}: ${email} was seen ${id * 7} days ago`
  expect(extractCommonReason(response(7, 'a@example.com'), [])).toBe(
    extractCommonReason(response(1234567, 'b.c@example.org'), []),
  )
})

test('cuts a whole page short', () => {
  expect(extractCommonReason('word '.repeat(200), []).length).toBeLessThanOrEqual(121)
})

test('a hostile response doesn’t keep the server busy', () => {
  for (const text of ['<', '"', "'a ", '(', '…', '1 ', '@']) {
    const began = performance.now()
    extractCommonReason(text.repeat(2000 / text.length), personal)
    // Milliseconds on an idle machine, and minutes if the time grew with the cube of the length.
    expect(performance.now() - began).toBeLessThan(2000)
  }
})
