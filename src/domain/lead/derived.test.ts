import { expect, it } from 'vitest'
import type { ProgramType } from '../area.ts'
import { chooseIp, estimateAge, toRnLicense, toTeachingLicense } from './distributor-lead.ts'

it.each([
  [2026, 2012, 32],
  [2026, 1990, 54],
  [2026, 2026, 18],
  [2026, 2036, 8],
])('in %i, a graduate of %i is %i years old', (now, graduatingYear, age) =>
  expect(estimateAge(now, graduatingYear)).toBe(age),
)

it.each<[ProgramType[], 'TRUE' | 'FALSE', 'Yes' | 'No']>([
  [['Education'], 'FALSE', 'Yes'],
  [['Business'], 'FALSE', 'No'],
  [['Healthcare'], 'TRUE', 'No'],
  [['Technology'], 'FALSE', 'No'],
  [['Business', 'Technology'], 'FALSE', 'No'],
  [['Education', 'Healthcare'], 'TRUE', 'Yes'],
])('the types %j claim the RN licence %s and the teaching licence %s', (types, rn, teaching) => {
  const program = { id: 1, name: 'A program', active: false, types, degreeType: 'Masters' } as const
  expect(toRnLicense(program)).toBe(rn)
  expect(toTeachingLicense(program)).toBe(teaching)
})

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['Not found', '198.51.100.1'],
  ['IP Not found', '198.51.100.1'],
  ['NOT FOUND', '198.51.100.1'],
])('where the IP service says %s, %s is sent', (looked, sent) =>
  expect(chooseIp(looked, '198.51.100.1')).toBe(sent),
)
