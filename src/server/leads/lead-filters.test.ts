import { expect, test } from 'vitest'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import { InvalidFilterError, parseValidFilter } from './lead-filters.ts'

test('a bulk action refuses a filter with an invalid value', () => {
  expect(parseValidFilter('status=dead&from=2026-11-01', 'UTC')).toEqual({
    ...emptyFilter,
    status: ['dead'],
    since: Date.UTC(2026, 10, 1),
  })
  expect(parseValidFilter('', 'UTC')).toEqual(emptyFilter)
})

test.each(['status=dead&unheard-of=x', 'status=lost', 'state=Florida&status=dead'])(
  'or not at all: %s would mean more leads with a part left out',
  (query) => {
    expect(() => parseValidFilter(query, 'UTC')).toThrow(InvalidFilterError)
  },
)
