import { expect, test } from 'vitest'
import { InvalidFilterError, parseKnownFilter, parseSavedFilter } from './lead-filters.ts'

test('a bulk action refuses a partly valid filter', () => {
  expect(parseKnownFilter('status=dead&from=2026-11-01')).toEqual(
    parseSavedFilter('status=dead&from=2026-11-01').filter,
  )
  expect(parseKnownFilter('')).toEqual(parseSavedFilter('').filter)
})

test.each(['status=dead&unheard-of=x', 'status=lost', 'state=Florida&status=dead'])(
  'or not at all: %s would mean more leads with a part left out',
  (query) => {
    expect(() => parseKnownFilter(query)).toThrow(InvalidFilterError)
  },
)
