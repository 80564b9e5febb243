import { expect, test } from 'vitest'
import { decodeCsv, type LineFault, openCsv, parseCsvLines, parseLongCsv } from './csv-lines.ts'

function read(text: string) {
  const faults: LineFault[] = []
  const records = parseCsvLines(text, faults)
  return {
    records: records.map(({ line, values }) => `${line}: ${values.join(' | ')}`),
    faults: faults.map(({ line }) => line),
  }
}

test.each([
  ['a line break in quotes', 'a,b\r\n"1\r\n2",3\r\n4,5', ['1: a | b', '2: 1\n2 | 3', '4: 4 | 5']],
  [
    'doubled quotes and blank lines in quotes',
    'a\n"""x""\n\n,y"\nz',
    ['1: a', '2: "x"\n\n,y', '5: z'],
  ],
  ['line breaks in the headings', '"a\nb";c\n1;2', ['1: a\nb | c', '3: 1 | 2']],
  ['commas in quoted headings', '"a,b,c";d\n1;2', ['1: a,b,c | d', '2: 1 | 2']],
  ['a sep= line', '\uFEFFsep=|\r\na|b\r\n1,0|2', ['2: a | b', '3: 1,0 | 2']],
  ['a quoted SEP= line for tabs', '"SEP=\t"\na\tb', ['2: a | b']],
  [
    'lines of mere separators and empty quotes',
    ';;\na;b\n"";""\n1;2\n;\n',
    ['2: a | b', '4: 1 | 2'],
  ],
  ['old line breaks', 'a,b\r1,2\r', ['1: a | b', '2: 1 | 2']],
])('reads %s', (_, text, records) => expect(read(text)).toEqual({ records, faults: [] }))

test('after a quote that does not match, reads the following lines', () => {
  const text = 'a,b\n1,"x\n2,y\n3,5" wide\n4,"two\nlines"\n5,"z\n6,z'
  expect(read(text)).toEqual({
    records: ['1: a | b', '3: 2 | y', '5: 4 | two\nlines', '8: 6 | z'],
    faults: [2, 4, 7],
  })
})

test('an unclosed quote before a very long rest is a fault of its line alone', () => {
  const rest = Array.from({ length: 9000 }, (_, index) => `${index},y`)
  const { records, faults } = read(['a,b', '1,"x', ...rest].join('\n'))
  expect([records.length, faults]).toEqual([9001, [2]])
})

test.each<[string, readonly number[], 'utf-16le' | 'utf-8', boolean]>([
  ['UTF-16, little endian', [0xff, 0xfe], 'utf-16le', false],
  ['UTF-16, big endian', [0xfe, 0xff], 'utf-16le', true],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf], 'utf-8', false],
  ['UTF-8', [], 'utf-8', false],
])('decodes %s', (_, mark, encoding, isSwapped) => {
  const bytes = Buffer.from('Ó,ż;😀', encoding)
  if (isSwapped) bytes.swap16()
  expect(decodeCsv(Buffer.concat([Buffer.from(mark), bytes]))).toBe('Ó,ż;😀')
})

test('lets other work run while it parses the largest file', async () => {
  const line = `019bc0de-0000-7000-8000-000000000001,2026-11-30,"${'x'.repeat(150)}"`
  const file = openCsv(Array(10_000).fill(line).join('\n'))
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  count()
  const before = process.cpuUsage()
  let records = 0
  for await (const _ of parseLongCsv(file, [])) records += 1
  isDone = true
  const { user } = process.cpuUsage(before)
  expect(records).toBe(10_000)
  // Other work gets a turn at least every 20 ms of processor time.
  expect(turns).toBeGreaterThan(user / 20_000)
})
