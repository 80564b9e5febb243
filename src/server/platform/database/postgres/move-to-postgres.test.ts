import { expect, test } from 'vitest'
import { type CopiedRow, TableDigest } from './move-to-postgres.ts'

function digestOf(...rows: readonly CopiedRow[]): TableDigest {
  const digest = new TableDigest()
  for (const row of rows) digest.add(row)
  return digest
}

const ada = { id: '1', name: 'Ada', at: 5 }
const zoe = { id: '2', name: 'Zoë', at: null }

test('rows and columns may come in any order', () => {
  expect(digestOf(ada, zoe).equals(digestOf(zoe, { at: 5, name: 'Ada', id: '1' }))).toBe(true)
  expect(digestOf(ada, zoe).rows).toBe(2)
})

test.each<[string, CopiedRow[]]>([
  ['a row that is missing', [ada]],
  ['a row that is there twice', [ada, zoe, zoe]],
  ['a value', [ada, { ...zoe, name: 'Zoe' }]],
  ['a number that is text', [{ ...ada, at: '5' }, zoe]],
  [
    'two values that changed places',
    [
      { ...ada, name: 'Zoë' },
      { ...zoe, name: 'Ada' },
    ],
  ],
])('finds a difference: %s', (_name, rows) => {
  expect(digestOf(ada, zoe).equals(digestOf(...rows))).toBe(false)
})
