import { describe, expect, it } from 'vitest'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { type Area, areas } from '../area.ts'
import { unchosenEducationLevel } from '../enquiry/answers.ts'
import {
  type DegreeType,
  degreeLevels,
  educationLevels,
  findAreaPrograms,
  findOfferedPrograms,
  isProgramOpenTo,
  type Program,
  toDegreeLevel,
  toProgramOptions,
} from './catalogue.ts'

it.each([
  [790, 'Associates'],
  [791, 'Bachelors'],
  [792, 'Masters'],
  [793, 'Doctorates'],
  [787, 'Diploma'],
  [1, 'Diploma'],
  [unchosenEducationLevel, 'None'],
])('the education level %i is the degree level %s', (id, level) =>
  expect(toDegreeLevel(id)).toBe(level),
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

it('shows the enumeration’s spelling on no page', () => {
  expect(JSON.stringify(educationLevels)).not.toMatch(/cerf/i)
})

const read = readCatalogue(new URL('../../../catalogue/programs.csv', import.meta.url))
const catalogue = read.ok ? read.programs : []

const program = (id: number, facts: Partial<Program>): Program => ({
  id,
  name: `Program ${id}`,
  active: false,
  types: ['Business'],
  degreeType: 'Bachelors',
  ...facts,
})

describe('the catalogue that we ship', () => {
  it('has 70 programs', () => expect(catalogue).toHaveLength(70))

  it.each(
    areas.flatMap((area) => educationLevels.map(({ id, name }) => [area, name, id] as const)),
  )('offers programs on %s with %s by the rule alone', (area, _, level) => {
    const offer = toProgramOptions(findOfferedPrograms(catalogue, area), level)
    expect(offer.programs.length).toBeGreaterThan(0)
    expect(offer.isWholeArea).toBe(false)
    expect(offer.programs.every((offered) => isProgramOpenTo(offered, level))).toBe(true)
  })

  it('offers the featured programs of every type on the general page', () => {
    const offered = findOfferedPrograms(catalogue, 'general')
    expect(offered).toEqual(catalogue.filter(({ active }) => active))
    expect(new Set(offered.flatMap(({ types }) => types)).size).toBe(4)
  })

  it.each<[Area, number]>([
    ['business', 14],
    ['education', 28],
    ['healthcare', 13],
    ['technology', 18],
  ])('puts the featured of the %s programs first, %i in all', (area, count) => {
    const flags = findOfferedPrograms(catalogue, area).map(({ active }) => active)
    expect(flags).toHaveLength(count)
    expect(flags).toEqual(flags.toSorted((one, other) => Number(other) - Number(one)))
    expect(flags).toContain(true)
  })
})

it('offers other programs if an area has none of its own, or none is featured', () => {
  const [featured, other] = [program(1, { active: true }), program(2, {})]
  expect(findOfferedPrograms([featured, other], 'healthcare')).toEqual([featured])
  expect(findOfferedPrograms([other], 'healthcare')).toEqual([other])
  expect(findOfferedPrograms([other], 'general')).toEqual([other])
})

/** The specification's "Program list by education level". */
const everything: DegreeType[] = ['Certificate', 'Bachelors', 'Masters']
it.each<[string, number, DegreeType[]]>([
  ['nothing chosen', -1, ['Certificate']],
  ['Some college', 787, ['Certificate', 'Bachelors']],
  ['Associates', 790, ['Certificate', 'Bachelors']],
  ['Bachelors', 791, everything],
  ['Masters', 792, ['Masters']],
  ['Doctorates', 793, ['Masters']],
])('with %s (%i) the list shows %j', (_, level, expected) => {
  const open = everything.filter((degreeType) => isProgramOpenTo(program(1, { degreeType }), level))
  expect(open).toEqual(expected)
})

describe('if the education level rules out every program', () => {
  const business = program(1, {})
  const nursing = program(2, { types: ['Healthcare'], degreeType: 'Masters' })

  it('offers the whole area with a hint', () => {
    const offer = toProgramOptions(findOfferedPrograms([business, nursing], 'business'), 792)
    expect(offer).toEqual({ programs: [business], isWholeArea: true })
  })

  it('gives no hint if a program remains', () => {
    const offer = toProgramOptions(findOfferedPrograms([business, nursing], 'healthcare'), 792)
    expect(offer).toEqual({ programs: [nursing], isWholeArea: false })
  })
})

it('offers a program of two types on both pages', () => {
  const both = program(1, { types: ['Business', 'Technology'] })
  const offeredOn = areas.filter((area) => findAreaPrograms([both], area).length > 0)
  expect(offeredOn).toEqual(['business', 'technology'])
})
