import { expect, test } from 'vitest'
import { formatCsvLine } from '#server/platform/export-formats.ts'
import { maxCsvBytes, maxCsvLines } from '#server/platform/mapped-csv.ts'
import { defaultReturnColumns, parseReturns } from './parse-returns.ts'

const id = '019bc0de-0000-7000-8000-000000000001'
const other = '019bc0de-0000-7000-8000-000000000002'

const parse = (text: string, columns = {}) =>
  parseReturns(text, { ...defaultReturnColumns, ...columns }, 'America/New_York')

test.each([
  ['commas', `reference,date,reason\n${id},2026-11-30,wrong number`],
  [
    'a byte order mark, CRLF and quotes',
    `\uFEFFReference,Date,Reason\r\n"${id}","2026-11-30","wrong number"\r\n`,
  ],
  [
    'semicolons, other columns and capitals',
    `Name;DATE;Reason;Reference\nAda, L.;11/30/2026;wrong number;${id.toUpperCase()}\n;;;\n`,
  ],
  ['tabs', `reference\tdate\treason\n${id}\t2026-11-30\twrong\u0007 number`],
])('reads a file with %s', async (_, text) => {
  const returnedAt = Date.UTC(2026, 10, 30, 12)
  const [line, ...more] = (await parse(text)).rows
  expect(line).toEqual({ line: 2, leadId: id, returnedAt, reason: 'wrong number' })
  expect(more).toEqual([])
})

test('reads exact times, other headings, and a file without reasons', async () => {
  const columns = { lead: 'Lead ID', date: 'returned', reason: '' }
  const { rows: returns, faults } = await parse(
    `lead id,Returned\n${id},2026-11-30T23:30Z`,
    columns,
  )
  expect(faults).toEqual([])
  expect(returns).toEqual([
    { line: 2, leadId: id, returnedAt: Date.UTC(2026, 10, 30, 23, 30), reason: null },
  ])
})

test('names every wrong line, in its order', async () => {
  const lines = [
    'reference,date,reason',
    `${id},2026-02-30,x`,
    'ada@example.com,2026-11-30,x',
    `${other},2026-11-30,"x`,
    '',
    `${other},yesterday,x`,
    `${other.toUpperCase()},2026-11-30,x`,
    `${id},13/01/2026,x`,
  ]
  const { rows: returns, faults } = await parse(lines.join('\n'))
  expect(returns).toEqual([])
  const named = faults.toSorted((one, two) => one.line - two.line)
  expect(named.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '2: “2026-02-30” is not a date: write it like 2026-11-30 or 11/30/2026',
    '3: “ada@example.com” is not a lead’s id, which has 36 characters',
    '4: quotes (") do not match: quote whole values, double a quote inside',
    '6: “yesterday” is not a date: write it like 2026-11-30 or 11/30/2026',
    '7: the lead is on line 6 already',
    '8: “13/01/2026” is not a date: write it like 2026-11-30 or 11/30/2026',
  ])
})

test('names the headings that a file lacks, and an empty file', async () => {
  expect((await parse('id,when,why\n1,2,3')).columns).toEqual({
    lead: 'There is no column “reference” in: id, when, why.',
    date: 'There is no column “date” in: id, when, why.',
    reason: 'There is no column “reason” in: id, when, why.',
  })
  expect(Object.keys((await parse('')).columns)).toEqual(['lead', 'date', 'reason'])
})

test('refuses a line with more values than headings, rather than cutting a value at its comma', async () => {
  const { faults, rows } = await parse(
    `reference,date,reason\n${id},2026-11-30,"Wrong number, twice",,\n${other},2026-11-30,Wrong number, twice`,
  )
  expect(faults).toEqual([
    {
      line: 3,
      message: 'the line has 4 values, the first line 3: put a value with a comma in quotes',
    },
  ])
  expect(rows.map(({ reason }) => reason)).toEqual(['Wrong number, twice'])
})

test('refuses a heading that two columns have, rather than reading the first', async () => {
  const { columns, rows } = await parse(`reference,Date,reason,date\n${id},2026-11-30,x,2026-12-01`)
  expect(columns).toEqual({ date: 'The file has 2 columns “date”: rename all but one.' })
  expect(rows).toEqual([])
})

test('refuses more lines than one transaction imports, and cuts long reasons', async () => {
  const many = Array(maxCsvLines + 1).fill(`${id},2026-11-30,x`)
  expect((await parse(['reference,date,reason', ...many].join('\n'))).faults).toEqual([
    { line: 10_002, message: 'a file may have 10,000 lines: split it' },
  ])
  const [long] = (await parse(`reference,date,reason\n${id},2026-11-30,${'x'.repeat(999)}`)).rows
  expect(long?.reason).toHaveLength(200)
})

test('refuses more bytes and columns than the process can parse without a pause', async () => {
  expect((await parse(' '.repeat(maxCsvBytes + 1))).faults).toEqual([
    { line: 1, message: 'a file may have 2 MB: split it' },
  ])
  const { faults } = await parse(`reference,date,reason\r\n${id},2026-11-30${',x'.repeat(100)}`)
  expect(faults).toEqual([
    {
      line: 2,
      message: 'a line may have 100 columns, not 102: keep only the ids, dates and reasons',
    },
  ])
})

test.each([
  ['a million lines', `reference,date,reason\n${'a\n'.repeat(1_000_000)}`],
  ['many columns and lines', `${','.repeat(500_000)}reference,date,reason${'\na'.repeat(9000)}`],
  ['a million columns', `reference,date,reason\n${'a,'.repeat(1_000_000)}`],
  ['half a million blank lines', `reference,date,reason\n${',,\n'.repeat(500_000)}`],
])('refuses %s without a long pause', async (_, text) => {
  const before = process.cpuUsage()
  expect((await parse(text)).rows).toEqual([])
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(5000)
})

test('shows the beginning of long headings', async () => {
  const { columns } = await parse(`${'x'.repeat(100)},`.repeat(99))
  expect(columns.lead?.length).toBeLessThan(600)
})

test('reads reasons with line breaks, and names lines as an editor does', async () => {
  const { rows: returns, faults } = await parse(
    `sep=;\n"Reason";Date;"Refer-\nence"\n"no\nanswer";11/30/26 9:05 PM;${id}\n"x\ny";soon;${other}\n`,
    { lead: 'refer- ence' },
  )
  expect(returns).toEqual([
    { line: 4, leadId: id, returnedAt: Date.UTC(2026, 11, 1, 2, 5), reason: 'no answer' },
  ])
  expect(faults.map(({ line }) => line)).toEqual([6])
})

test('refuses a time that the clocks skip or repeat, and a quote that swallows leads', async () => {
  const lines = [
    `${id},2026-03-08 02:30,x`,
    `${other},2026-11-30,"x`,
    `${id.replace('1', '2')},2026-11-30,y"`,
  ]
  const { rows: returns, faults } = await parse(['reference,date,reason', ...lines].join('\n'))
  expect(returns).toEqual([])
  expect(faults.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '2: “2026-03-08 02:30” is no single time in America/New_York, because clocks change: add an offset, like -05:00',
    '3: a value in quotes contains other lines: close its quote (")',
  ])
})

test('an exported reason comes back without the mark before a formula', async () => {
  const line = formatCsvLine([id, '2026-11-30', '=1+1; -2'])
  const [{ reason } = {}] = (await parse(`reference,date,reason\r\n${line}`)).rows
  expect(reason).toBe('=1+1; -2')
})
