import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const folder = resolve(import.meta.dirname, '../../docs/decisions')

test('the list of decisions has each of at most 25 pages once, in order', () => {
  const pages = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .sort()
  const listed = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(
    /^\| \[(\d{2})\]\((\d{2}-[\w-]+\.md)\) \|/gm,
  )
  expect([...listed].map(([, number, file]) => [number, file])).toEqual(
    pages.map((file) => [file.slice(0, 2), file]),
  )
  expect(pages.length).toBeLessThanOrEqual(25)
})
