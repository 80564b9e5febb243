import { expect, test } from 'vitest'
import { InvalidFilterError, parseFilterQuery, parseValidFilter } from './lead-filters.ts'

test('a bulk action refuses a filter with an invalid value', () => {
  expect(parseValidFilter('status=dead&from=2026-11-01', 'UTC')).toEqual(
    parseFilterQuery('status=dead&from=2026-11-01', 'UTC').filter,
  )
  expect(parseValidFilter('', 'UTC')).toEqual(parseFilterQuery('', 'UTC').filter)
})

test.each(['status=dead&unheard-of=x', 'status=lost', 'state=Florida&status=dead'])(
  'or not at all: %s would mean more leads with a part left out',
  (query) => {
    expect(() => parseValidFilter(query, 'UTC')).toThrow(InvalidFilterError)
  },
)
