import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowed, listPackages } from './licenses.ts'

const lockFile = resolve(import.meta.dirname, '../package-lock.json')

test('every package has a known license', () => {
  const packages = listPackages(JSON.parse(readFileSync(lockFile, 'utf8')))
  expect(packages.filter((one) => one.use === 'shipped').length).toBeGreaterThan(20)
  expect(packages.filter((one) => !isAllowed(one))).toEqual([])
})

test.each<[string, boolean, boolean]>([
  ['MIT', true, true],
  ['MIT OR GPL-3.0-only', true, true],
  ['(MIT AND BSD-3-Clause)', true, true],
  ['MPL-2.0', false, true],
  ['MIT AND OFL-1.1', false, true],
  ['MIT AND GPL-3.0-only', false, false],
  ['AGPL-3.0-only', false, false],
  ['SEE LICENSE IN LICENSE.md', false, false],
  ['UNLICENSED', false, false],
  ['', false, false],
])('%s', (license, mayBeShipped, mayBeUsed) => {
  const one = { name: 'one', version: '1.0.0', license }
  expect(isAllowed({ ...one, use: 'shipped' })).toBe(mayBeShipped)
  expect(isAllowed({ ...one, use: 'development' })).toBe(mayBeUsed)
})

test('a package within a package has its own name', () => {
  const packages = {
    '': { license: 'MIT' },
    'node_modules/a/node_modules/@b/c': { version: '1.0.0', license: 'ISC', dev: true },
  }
  expect(listPackages({ packages })).toEqual([
    { name: '@b/c', version: '1.0.0', license: 'ISC', use: 'development' },
  ])
})
