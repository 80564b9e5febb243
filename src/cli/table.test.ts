import { expect, it } from 'vitest'
import { formatTable } from './terminal.ts'

it('aligns columns to their widest value', () => {
  expect(
    formatTable(
      ['Id', 'Name'],
      [
        ['1', 'Ada'],
        ['100', 'Zoë'],
      ],
    ),
  ).toBe('Id   Name\n1    Ada\n100  Zoë')
})

it('escapes invisible characters', () => {
  expect(formatTable(['Name'], [['A\u001b[2Jd\u202ea\n']])).toBe(
    'Name\nA\\u001b[2Jd\\u202ea\\u000a',
  )
})
