import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyGroups } from './keys-page.tsx'

/** These keys press no element: the script moves from row to row, and the browser handles Enter. */
const pressNothing = ['j', 'k', 'Enter']

test('the list of keys matches the keys’ actions', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = globSync('**/*.tsx', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const pressed = sources.flatMap((source) =>
    [...source.matchAll(/hotkey[=:][^\n]*?["'](.)["']/g)].map(([, key]) => key),
  )
  const listed = keyGroups.flatMap(({ keys }) => keys.map(([key]) => key))
  const press = listed.filter((key) => !pressNothing.includes(key))
  expect([...new Set(pressed)].sort()).toEqual(press.sort())
})
