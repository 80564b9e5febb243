import { expect, it } from 'vitest'
import { degreeLevelOf, degreeLevels, educationLevels } from './degree-level.ts'
import { noEducationLevel } from './no-education-level.ts'

it.each([
  [790, 'Associates'],
  [791, 'Bachelors'],
  [792, 'Masters'],
  [793, 'Doctorates'],
  [787, 'Diploma'],
  [1, 'Diploma'],
  [noEducationLevel, 'None'],
])('the education level %i is the degree level %s', (id, level) =>
  expect(degreeLevelOf(id)).toBe(level),
)

it('numbers the degree levels as the enumeration does', () => {
  expect(Object.entries(degreeLevels)).toEqual([
    ['Associates', 0],
    ['Bachelors', 1],
    ['Masters', 2],
    ['Doctorates', 3],
    ['Diploma', 4],
    ['Cerfificate', 5],
    ['None', 6],
  ])
})

it('shows nobody the spelling of the enumeration', () => {
  expect(JSON.stringify(educationLevels)).not.toMatch(/cerf/i)
})
