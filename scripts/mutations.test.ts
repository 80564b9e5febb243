import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { findMutations } from './mutations.ts'

const mutate = (code: string) =>
  findMutations(parseAst(code, { lang: 'ts' }), code).map(
    ({ start, end, text }) => code.slice(0, start) + text + code.slice(end),
  )

test.each([
  ['x = a < 2', ['x = a <= 2', 'x = a < 3', '']],
  ['const x = Math.max(a, b)', ['const x = Math.min(a, b)']],
  ["q.where('a', b).x", ['q.x']],
  ['if (a) b()', ['if (true) b()', 'if (false) b()', 'if (a) ']],
  ["const x = a ?? (b as 'asc')", ["const x = a && (b as 'asc')"]],
  ["import { a } from '1'; type B = 1 | true", []],
  ["const x = a.toString('constructor')", []],
  ["sort('asc')", ['', "sort('desc')"]],
])('%s', (code, mutated) => {
  expect(mutate(code).toSorted()).toEqual([...mutated].toSorted())
})
