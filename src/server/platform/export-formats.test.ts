import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { formatCsvLine } from './export-formats.ts'

test('a written value is read back, whatever it contains', () => {
  const cells = ['plain', 'a,b', 'a;b', 'say "hi"', ' spaces ', 'Zoë 🎓', '']
  expect(parse(formatCsvLine(cells))).toEqual([cells])
})

test('numbers, booleans and empty values', () => {
  expect(formatCsvLine([-1, 9_415_550_100, true, false, null])).toBe(
    '-1,9415550100,true,false,\r\n',
  )
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  ' =1',
  '\u00a0=1',
  '＝1',
  '＋1',
  '－1',
  '＠A1',
  '﹦1',
  '\u22121',
  '"=1',
])('a spreadsheet does not run %j', (formula) => {
  expect(parse(formatCsvLine([formula, 'next']))).toEqual([[`'${formula}`, 'next']])
})

test('a formula with a comma stays in one cell', () => {
  expect(parse(formatCsvLine(['=HYPERLINK("http://x.example","a")']))).toEqual([
    [`'=HYPERLINK("http://x.example","a")`],
  ])
})

test.each([
  ['\\u0009=1', '\t=1'],
  ['\\u000d=1', '\r=1'],
  ['\\u200b=1', '\u200b=1'],
  ['two\\u000d\\u000alines', 'two\r\nlines'],
  ['\\u202eada\\u009b2J', '\u202eada\u009b2J'],
])('an invisible character is escaped: %s', (written, text) => {
  expect(formatCsvLine([text, 'next'])).toBe(`${written},next\r\n`)
})

test('a semicolon does not end a cell in a spreadsheet that separates cells by semicolons', () => {
  expect(parse(formatCsvLine(['a;=1+1', 'b']).replace(',', ';'), { delimiter: ';' })).toEqual([
    ["a;'=1+1", 'b'],
  ])
})

test.each(['a;=1;b', 'a; =1;b', 'a;"=1;b', 'a;＝1;b'])(
  '%j contains no formula for a reader that separates cells by semicolons',
  (text) => {
    const cells = formatCsvLine(['x', text]).trim().split(/[,;]/)
    expect(cells.filter((cell) => /^[\s"]*[=＝]/.test(cell))).toEqual([])
  },
)

test.each(['a=1', "O'Neill", 'x@example.com', 'Anne-Marie', '9415550100'])(
  '%j is written unchanged',
  (text) => {
    expect(formatCsvLine([text])).toBe(`${text}\r\n`)
  },
)
