import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { npmPackages } from './dependencies.mjs'
import { thisMachine } from './machine.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-packages-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"one","version":"1.0.0"}')
  writeLock('1.0.0')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writeLock(version: string) {
  const lock = { name: 'one', version, lockfileVersion: 3, packages: { '': { name: 'one' } } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

test('packages are installed once, and again when the lock file has changed', async () => {
  const step = npmPackages(folder, thisMachine, 'Installing')
  expect(step.isStale()).toBe(true)
  await step.update()
  expect(step.isStale()).toBe(false)
  writeLock('1.0.1')
  expect(step.isStale()).toBe(true)
})

test('a failed installation is reported and does not count as done', async () => {
  writeFileSync(join(folder, 'package.json'), 'not JSON')
  const step = npmPackages(folder, thisMachine, 'Installing')
  await expect(step.update()).rejects.toThrow(/npm's message is above/)
  expect(step.isStale()).toBe(true)
})
