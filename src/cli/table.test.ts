import { expect, it } from 'vitest'
import { table } from './table.ts'

it('aligns columns to their widest value', () => {
  expect(
    table(
      ['Id', 'Name'],
      [
        ['1', 'Ada'],
        ['100', 'Zoë'],
      ],
    ),
  ).toBe('Id   Name\n1    Ada\n100  Zoë')
})

it('shows control characters instead of obeying them', () => {
  expect(table(['Name'], [['A\u001b[2Jda\n']])).toBe('Name\nA�[2Jda�')
})
