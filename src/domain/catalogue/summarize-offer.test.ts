import { expect, it } from 'vitest'
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
  expect(summarizeOffer([accounting, nursing])).toMatchObject([
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
  ])
})
