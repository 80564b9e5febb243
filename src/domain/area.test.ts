import { expect, it } from 'vitest'
import { areaDefinitions, areas, parseArea } from './area.ts'

it.each([
  ['business', 'business'],
  ['EDUCATION', 'education'],
  ['HealthCare', 'healthcare'],
  ['technology', 'technology'],
  ['general', 'general'],
  ['nowhere', 'general'],
  ['constructor', 'general'],
  ['', 'general'],
  [undefined, 'general'],
])('the route %j leads to %s', (id, area) => expect(parseArea(id)).toBe(area))

it('numbers the areas as the enumeration Category does', () => {
  expect(
    areas.toSorted((one, other) => areaDefinitions[one].category - areaDefinitions[other].category),
  ).toEqual(['general', 'healthcare', 'business', 'technology', 'education'])
})
