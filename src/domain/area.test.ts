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
  const numbers = areas.map((area) => [area, areaDefinitions[area].category])
  expect(Object.fromEntries(numbers)).toEqual({
    general: 0,
    healthcare: 1,
    business: 2,
    technology: 3,
    education: 4,
  })
})
