import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvLine } from './csv-line.ts'

test('what is written is read again, whatever it holds', () => {
  const cells = ['plain', 'a,b', 'say "hi"', 'two\r\nlines', ' spaces ', 'Zoë 🎓', '']
  expect(parse(csvLine(cells))).toEqual([cells])
})

test('numbers, yes and no, and nothing', () => {
  expect(csvLine([-1, 9_415_550_100, true, false, null])).toBe('-1,9415550100,true,false,\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  'a spreadsheet does not run %j',
  (formula) => {
    expect(parse(csvLine([formula, 'next']))).toEqual([[`'${formula}`, 'next']])
  },
)

test('a formula that holds a comma stays in its cell', () => {
  expect(parse(csvLine(['=HYPERLINK("http://x.example","a")']))).toEqual([
    [`'=HYPERLINK("http://x.example","a")`],
  ])
})

test.each(['a=1', "O'Neill", 'x@example.com', 'Anne-Marie', '9415550100'])(
  '%j stays as it is',
  (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`)
  },
)
