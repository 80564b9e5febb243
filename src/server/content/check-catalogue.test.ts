import { expect, it } from 'vitest'
import { programTypes } from '#domain/area.ts'
import { parseCatalogue } from './read-catalogue.ts'

const good = {
  id: '8',
  name: 'M.B.A.',
  active: 'yes',
  types: programTypes.join(' ; '),
  degreeType: 'Masters',
}

type Row = Partial<typeof good & { offered: string }>

const check = (...rows: Row[]) => {
  const columns = [...Object.keys(good), 'offered'] as const
  const lines = rows.map((row) =>
    columns.map((column) => ({ ...good, ...row })[column as keyof Row] ?? '').join(','),
  )
  return parseCatalogue([columns.join(','), ...lines].join('\n'))
}

it('parses a row as a program', () => {
  expect(check({})).toEqual({
    ok: true,
    programs: [
      {
        id: 8,
        name: 'M.B.A.',
        active: true,
        types: programTypes,
        degreeType: 'Masters',
      },
    ],
    notOffered: [],
  })
})

it.each([
  [undefined, true],
  ['', true],
  ['yes', true],
  ['no', false],
])('with offered %j the program is on offer: %s', (offered, isOffered) => {
  const checked = check(
    {},
    { id: '9', name: 'M.S. Accounting', ...(offered === undefined ? {} : { offered }) },
  )
  expect(checked.ok && checked.programs.map(({ id }) => id)).toEqual(isOffered ? [8, 9] : [8])
  expect(checked.ok && checked.notOffered.map(({ id }) => id)).toEqual(isOffered ? [] : [9])
  expect(checked.ok && checked.programs[0]).not.toHaveProperty('offered')
})

it.each<[Row, string]>([
  [{ offered: 'maybe' }, 'offered "maybe" is neither yes nor no'],
  [{ id: '' }, 'id "" is not a whole number above 0'],
  [{ id: '0' }, 'id "0" is not a whole number above 0'],
  [{ id: '1.5' }, 'id "1.5" is not a whole number above 0'],
  [{ name: '' }, 'name is empty'],
  [{ active: 'maybe' }, 'active "maybe" is neither yes nor empty'],
  [{ types: ' ; ' }, `types is empty: name at least one of ${programTypes.join(', ')}`],
  [{ types: 'Alchemy' }, `type "Alchemy" is none of ${programTypes.join(', ')}`],
  [{ degreeType: '' }, 'degreeType "" is none of Bachelors, Masters, Certificate'],
  [
    { degreeType: 'Doctorates' },
    'degreeType "Doctorates" is none of Bachelors, Masters, Certificate',
  ],
])('with %j the operator reads: %s', (row, message) =>
  expect(check(row)).toEqual({ ok: false, faults: [`line 2: ${message}`] }),
)

it('lists every fault of every row at once', () => {
  const broken = { id: 'x', name: '', active: 'x', types: 'Alchemy;Astrology', degreeType: 'x' }
  const checked = check({}, broken, {}, broken)
  expect(checked.ok ? [] : checked.faults.map((fault) => fault.slice(0, 11))).toEqual([
    ...['line 3: id ', 'line 3: nam', 'line 3: act', 'line 3: typ', 'line 3: typ', 'line 3: deg'],
    'line 4: id ',
    ...['line 5: id ', 'line 5: id ', 'line 5: nam', 'line 5: act'],
    ...['line 5: typ', 'line 5: typ', 'line 5: deg'],
  ])
})

it.each([undefined, 'no'])('names both lines of a repeated id, offered %j', (offered) => {
  const again = { name: 'M.S. Accounting', ...(offered ? { offered } : {}) }
  expect(check({}, again)).toEqual({
    ok: false,
    faults: ['line 3: id 8 is on line 2 already'],
  })
})

it('refuses a catalogue without a program on offer, but accepts an area without programs', () => {
  const nothing = {
    ok: false,
    faults: ['no program is on offer: the pages would have nothing to choose'],
  }
  expect(check()).toEqual(nothing)
  expect(check({ offered: 'no' })).toEqual(nothing)
  expect(check({ active: '', types: 'Business' })).toMatchObject({ ok: true })
})
