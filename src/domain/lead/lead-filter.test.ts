import { describe, expect, test } from 'vitest'
import { emptyFilter, parseLeadFilter, toFilterQuery } from './lead-filter.ts'

const read = (query: string, zone = 'UTC') => {
  const params = new URLSearchParams(query)
  return parseLeadFilter((name) => params.getAll(name), zone)
}

test('an empty filter matches every lead', () => {
  for (const query of ['', 'status=&from=&program=%20', 'unknown=x']) {
    expect(read(query)).toMatchObject({ filter: emptyFilter, faults: {} })
  }
})

test('each field may have several values', () => {
  const { filter, faults } = read('status=dead&status=rejected&state=fl&program=15&affiliate=a%20b')
  expect(faults).toEqual({})
  expect(filter).toMatchObject({
    status: ['dead', 'rejected'],
    state: ['FL'],
    program: [15],
    affiliate: ['a b'],
  })
})

test('a day includes all its hours, and a time is exact', () => {
  const { filter } = read('from=2026-11-01&to=2026-11-02')
  expect([filter.since, filter.until]).toEqual([Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 3)])
  expect(read('to=2026-11-02T10:00Z').filter.until).toBe(Date.UTC(2026, 10, 2, 10))
  const longDay = read('from=2026-11-01&to=2026-11-01', 'America/New_York').filter
  expect([longDay.since, longDay.until]).toEqual([
    Date.UTC(2026, 10, 1, 4),
    Date.UTC(2026, 10, 2, 5),
  ])
})

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}=${index}`).join('&')
const valuesFrom = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`)

test('characters that the store refuses are removed', () => {
  expect(read('error=a%00b&affiliate=%00').filter).toMatchObject({ error: ['ab'], affiliate: [] })
})

test('20 values per filter and 60 in all are accepted', () => {
  const query = ['program', 'affiliate', 'error'].map((name) => many(name, 20)).join('&')
  expect(read(query).faults).toEqual({})
})

test('a repeated value counts once', () => {
  const { filter, faults } = read(`${'error=503&'.repeat(1000)}status=dead`)
  expect(faults).toEqual({})
  expect(filter).toMatchObject({ error: ['503'], status: ['dead'] })
})

describe('an invalid value is reported at its field', () => {
  test.each([
    ['status=lost', 'status', '“lost” isn’t a valid value.'],
    ['area=arts&area=business', 'area', '“arts” isn’t a valid value.'],
    ['program=x', 'program', '“x” isn’t a valid value.'],
    ['state=Florida', 'state', 'Enter a state’s two letters, not “Florida”.'],
    ['restored=yes', 'restored', '“yes” isn’t a valid value.'],
    ['signal=x', 'signal', '“x” isn’t a valid value.'],
    ['from=2026-02-30', 'from', '“2026-02-30” is not a date: write it like 2026-11-30.'],
    ['to=yesterday', 'to', '“yesterday” is not a date: write it like 2026-11-30.'],
    ['from=2026-11-02&to=2026-11-01', 'to', 'The last day is before the first day'],
    [`affiliate=${'a'.repeat(201)}`, 'affiliate', 'isn’t a valid value.'],
    [
      `error=${valuesFrom(21).join('&error=')}`,
      'error',
      'Use at most 20 values in one filter: there are 21.',
    ],
    [
      `${['program', 'affiliate', 'error'].map((name) => many(name, 20)).join('&')}&restored=in-doubt`,
      'restored',
      'Use at most 60 values in all filters together.',
    ],
  ])('%s', (query, name, fault) => {
    const { faults } = read(query)
    expect(Object.keys(faults)).toEqual([name])
    expect(Object.values(faults)[0]).toContain(fault)
  })
})

test('the same filter has the same address, however it was given', () => {
  const given = (query: string) => toFilterQuery(read(query).given)
  expect(given('state=FL&status=dead&status=rejected')).toBe('status=dead&status=rejected&state=FL')
  expect(given('status=rejected&status=dead&status=dead&state=FL&area=')).toBe(
    given('state=FL&status=dead&status=rejected'),
  )
})
