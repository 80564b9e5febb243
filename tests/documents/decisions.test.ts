import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const folder = resolve(import.meta.dirname, '../../docs/decisions')

test('each decision stands in the list of all, once and in order', () => {
  const records = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .sort()
  const listed = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(
    /^\| \[(\d{4})\]\((\d{4}-[\w-]+\.md)\) \|/gm,
  )
  expect([...listed].map(([, number, file]) => [number, file])).toEqual(
    records.map((file) => [file.slice(0, 4), file]),
  )
})
