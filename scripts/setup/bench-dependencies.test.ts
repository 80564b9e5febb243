import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { benchDependencies } from './bench-dependencies.mjs'
import { thisMachine } from './machine.mjs'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-dependencies-'))
  mkdirSync(join(root, 'bench'))
  writeFileSync(join(root, 'bench/package.json'), '{"name":"bench","version":"1.0.0"}')
  writeLock('1.0.0')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function writeLock(version: string) {
  const lock = { name: 'bench', version, lockfileVersion: 3, packages: { '': { name: 'bench' } } }
  writeFileSync(join(root, 'bench/package-lock.json'), JSON.stringify(lock))
}

test('they are installed once, and again when the lock file has changed', async () => {
  const step = benchDependencies(root, thisMachine)
  expect(step.isStale()).toBe(true)
  await step.bring(() => undefined)
  expect(step.isStale()).toBe(false)
  writeLock('1.0.1')
  expect(step.isStale()).toBe(true)
})

test('an install that failed is said, and is not taken for done', async () => {
  writeFileSync(join(root, 'bench/package.json'), 'not JSON')
  const step = benchDependencies(root, thisMachine)
  await expect(step.bring(() => undefined)).rejects.toThrow(/npm's own words/)
  expect(step.isStale()).toBe(true)
})
