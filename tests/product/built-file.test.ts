import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildMark } from '../../scripts/setup/build.mjs'
import { refuseStaleBuild } from './built-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'built-file-'))
  mkdirSync(join(folder, 'src'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'src/a.ts'), 'one')
})
afterEach(() => rmSync(folder, { recursive: true }))

const build = () => writeFileSync(join(folder, 'dist/.built'), buildMark(folder))
const check = () => refuseStaleBuild(folder)

test('the tests accept a build of these sources', () => {
  build()
  expect(check).not.toThrow()
})

test('the tests refuse a missing or outdated build, and name the command to build', () => {
  expect(check).toThrow('npm run build')
  build()
  writeFileSync(join(folder, 'src/a.ts'), 'two')
  expect(check).toThrow('npm run build')
})

test('a test file beside the sources doesn’t make the build outdated', () => {
  build()
  writeFileSync(join(folder, 'src/a.test.ts'), 'a test')
  expect(check).not.toThrow()
})
