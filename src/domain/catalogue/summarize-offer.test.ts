import { expect, it } from 'vitest'
import { areas } from '../area.ts'
import type { Program } from './program.ts'
import { summarizeOffer } from './summarize-offer.ts'

it('says what each page offers, and whose rule leaves them nothing there', () => {
  const accounting: Program = {
    id: 1,
    name: 'B.S. Accounting',
    active: true,
    types: ['Business'],
    degreeType: 'Bachelors',
  }
  const nursing: Program = {
    ...accounting,
    id: 2,
    active: false,
    types: ['Healthcare'],
    degreeType: 'Masters',
  }
  const offers = summarizeOffer([accounting, nursing])
  expect(offers.map(({ area }) => area)).toEqual(areas)
  for (const expected of [
    { area: 'general', programs: 1, featured: 1, wholeAreaFor: ['Masters Degree'] },
    { area: 'business', programs: 1, featured: 1, wholeAreaFor: ['Masters Degree'] },
    { area: 'education', programs: 0 },
    {
      area: 'healthcare',
      programs: 1,
      featured: 0,
      wholeAreaFor: ['Some College', 'Associates Degree'],
    },
    { area: 'technology', programs: 0 },
  ]) {
    expect(offers.find(({ area }) => area === expected.area)).toMatchObject(expected)
  }
})
