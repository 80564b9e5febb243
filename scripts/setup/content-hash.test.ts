import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildMark, contentHash, filesUnder } from './build.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'content-hash-'))
  mkdirSync(join(root, 'src/site'), { recursive: true })
  writeFileSync(join(root, 'src/a.ts'), 'one')
  writeFileSync(join(root, 'src/site/b.css'), 'two')
})
afterEach(() => rmSync(root, { recursive: true }))

const hash = () => contentHash(root, filesUnder(root, 'src'))

test('a file that was only touched changes nothing', () => {
  const before = hash()
  utimesSync(join(root, 'src/a.ts'), new Date(0), new Date(0))
  expect(hash()).toBe(before)
})

test('an editor’s hidden file changes nothing', () => {
  const before = hash()
  writeFileSync(join(root, 'src/.a.ts.swp'), 'x')
  expect(hash()).toBe(before)
})

test.each([
  ['a changed content', () => writeFileSync(join(root, 'src/site/b.css'), 'TWO')],
  ['a new file, though empty', () => writeFileSync(join(root, 'src/site/c.css'), '')],
  ['a file that is gone', () => rmSync(join(root, 'src/a.ts'))],
  ['a new name', () => renameSync(join(root, 'src/a.ts'), join(root, 'src/c.ts'))],
  [
    'a file that contains the next file’s name and content',
    () => {
      writeFileSync(join(root, 'src/a.ts'), 'onesrc/site/b.csstwo')
      rmSync(join(root, 'src/site/b.css'))
    },
  ],
])('%s changes the hash', (_what, change) => {
  const before = hash()
  change()
  expect(hash()).not.toBe(before)
})

test('a folder that is not there has no files', () => {
  expect(filesUnder(root, 'site-pictures')).toEqual([])
})

test.each([
  ['the manifest, which names the version and the oldest browsers', 'package.json'],
  ['an edit that nobody has committed', 'src/a.ts'],
  ['the operator’s texts', 'content/site.yaml'],
  ['a package', 'package-lock.json'],
])('two builds differ in their id after a change of %s', (_, file) => {
  mkdirSync(join(root, 'content'))
  writeFileSync(join(root, file), 'before')
  const before = buildMark(root)
  writeFileSync(join(root, file), 'after')
  expect(buildMark(root)).not.toBe(before)
})
