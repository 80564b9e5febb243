import { expect, it } from 'vitest'
import { areaFromRoute, areaRows, areas } from './area.ts'

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
])('the route %j leads to %s', (id, area) => expect(areaFromRoute(id)).toBe(area))

it('numbers the areas as the enumeration Category does', () => {
  expect(areas.toSorted((one, other) => areaRows[one].category - areaRows[other].category)).toEqual(
    ['general', 'healthcare', 'business', 'technology', 'education'],
  )
})
