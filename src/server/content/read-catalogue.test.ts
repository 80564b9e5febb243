import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { programTypes } from '#domain/area.ts'
import { parseCatalogue, readCatalogue } from './read-catalogue.ts'

const header = 'id,name,active,types,degreeType'
const everyArea = `1,M.B.A.,yes,${programTypes.join(';')},Masters`
const good = `${header}\n${everyArea}\n`

function faultsOf(text: string): readonly string[] {
  const checked = parseCatalogue(text)
  return checked.ok ? [] : checked.faults
}

function fileWith(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'programs.csv')
  writeFileSync(path, content)
  return path
}

it.each([
  ['as we ship it', good],
  [
    'with a byte order mark and CRLF, as spreadsheets save it',
    `\uFEFF${good.replaceAll('\n', '\r\n')}`,
  ],
  ['with the line ends of old Macs', good.replaceAll('\n', '\r')],
  ['with blank lines and rows of commas', `\n${good.replaceAll('\n', '\n\n,,,,\n')}`],
  ['without a last line end', good.trimEnd()],
  ['with spaces around values', good.replaceAll(',', ' , ')],
  ['with a byte order mark and every value quoted', `\uFEFF${good.replaceAll(/[^,\n]+/g, '"$&"')}`],
  [
    'with the columns in another order',
    `degreeType,${header.replace(',degreeType', '')}\nMasters,${everyArea.replace(',Masters', '')}`,
  ],
])('reads a file %s', (_, text) => {
  expect(parseCatalogue(text)).toEqual({
    ok: true,
    programs: [
      {
        id: 1,
        name: 'M.B.A.',
        active: true,
        types: programTypes,
        degreeType: 'Masters',
      },
    ],
    notOffered: [],
  })
})

it('reads a file in UTF-16 with a sep= line and semicolons, as spreadsheets save it', () => {
  const quoted = good.replaceAll(/[^,\n]+/g, '"$&"').replaceAll(',', ';')
  const file = fileWith(Buffer.from(`\uFEFFsep=;\r\n${quoted}`, 'utf16le'))
  expect(readCatalogue(file)).toEqual(parseCatalogue(good))
})

it('refuses a name with a line break, and names the line', () => {
  expect(parseCatalogue(good.replace('M.B.A.', '"M.\nB.A."'))).toEqual({
    ok: false,
    faults: ['line 2: name has a line break'],
  })
})

const columns =
  'this line must name the columns id, name, active, types, degreeType and optionally offered, each once'
const quotes = 'quotes (") do not match: quote whole values, double a quote inside'

it.each<[string, string, string[]]>([
  ['an empty file', '', [`line 1: ${columns}`]],
  ['a file of blank lines', '\n \n', [`line 1: ${columns}`]],
  [
    'line ends of old Macs',
    `${header}\r${everyArea}\rx${everyArea}`,
    ['line 3: id "x1" is not a whole number above 0'],
  ],
  [
    'a missing and an unknown column, below blank lines',
    `\n\n${good.replace('active', 'featured')}`,
    [`line 3: ${columns}`],
  ],
  [
    'a column too many, and a row with a fault',
    `${header},note,id\n${everyArea.replace('M.B.A.', '')},x,1`,
    [`line 1: ${columns}`, 'line 2: name is empty'],
  ],
  ['a header with a broken quote', `"${good}`, [`line 1: ${quotes}`, `line 2: ${columns}`]],
  [
    'a comma too many and a value too few',
    `${good}2,M.S. Nursing, Education,,Healthcare,Masters\n3,B.S. Finance`,
    [
      'line 3: 6 values where the header has 5: put a value that has a comma in quotes',
      `line 4: types is empty: name at least one of ${programTypes.join(', ')}`,
      'line 4: degreeType "" is none of Bachelors, Masters, Certificate',
    ],
  ],
  [
    'an open quote, a quote inside a value, and faults between and below',
    `${header}\n1,"open,,Business,Masters\nx,B.S. Finance,,Business,Masters\n3,M "x" S,,Business,Masters\n4,"a"b,,Business,Masters\n5,M.S.,,Alchemy,Masters`,
    [
      `line 2: ${quotes}`,
      'line 3: id "x" is not a whole number above 0',
      `line 4: ${quotes}`,
      `line 5: ${quotes}`,
      `line 6: type "Alchemy" is none of ${programTypes.join(', ')}`,
    ],
  ],
])('lists, for %s, every fault with its line', (_, text, faults) =>
  expect(faultsOf(text)).toEqual(faults),
)

it('accepts the column offered at any position', () => {
  const text = `id,offered,name,active,types,degreeType\n${everyArea.replace(',', ',yes,')}\n2,no,M.S.,,Business,Masters`
  expect(parseCatalogue(text)).toEqual({
    ...parseCatalogue(good),
    notOffered: [expect.objectContaining({ id: 2 })],
  })
  expect(faultsOf(text.replace(',no,', ',off,'))).toEqual([
    'line 3: offered "off" is neither yes nor no',
  ])
})

it('accepts the column offered if only some rows have a value', () => {
  const text = `${header},offered\n${everyArea}\n2,M.S.,,Business,Masters,no`
  expect(parseCatalogue(text)).toEqual({
    ...parseCatalogue(good),
    notOffered: [expect.objectContaining({ id: 2 })],
  })
  expect(faultsOf(text.replace(',Masters,no', ''))).toEqual([
    'line 3: degreeType "" is none of Bachelors, Masters, Certificate',
  ])
})

it('keeps a comma and a doubled quote inside a quoted value', () => {
  const checked = parseCatalogue(good.replace('M.B.A.', '"M.B.A., ""online"""'))
  expect(checked.ok && checked.programs[0]?.name).toBe('M.B.A., "online"')
})

it('reads a file', () => {
  expect(readCatalogue(fileWith(good))).toEqual(parseCatalogue(good))
})

it('names the line with a character that is not UTF-8', () => {
  const windows1252 = Buffer.from(`${good}2,K\u009612,,Business,Masters`, 'latin1')
  expect(readCatalogue(fileWith(windows1252))).toEqual({
    ok: false,
    faults: ['line 3: a character is not UTF-8: save the file as "CSV UTF-8"'],
  })
})

it('reports a missing file', () => {
  expect(readCatalogue('no/such/programs.csv')).toEqual({
    ok: false,
    faults: ['the file cannot be read (ENOENT)'],
  })
})
