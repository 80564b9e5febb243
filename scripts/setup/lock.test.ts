import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
  lock = join(folder, 'setup.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the second of two simultaneous setups waits for the first', async () => {
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const one = withLock(lock, async () => {
    order.push('first starts')
    await first.promise
    order.push('first ends')
  })
  const two = withLock(
    lock,
    async () => order.push('second starts'),
    (pid) => {
      order.push(`second waits for ${pid}`)
      first.resolve()
    },
  )
  await Promise.all([one, two])
  expect(order).toEqual([
    'first starts',
    `second waits for ${process.pid}`,
    'first ends',
    'second starts',
  ])
})

test.each(['-12345', '-', ''])('the lock of a dead process is free: %s', async (start) => {
  const { pid } = spawnSync(execPath, ['--version'])
  writeFileSync(lock, `${pid}${start}`)
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})

test('a later process with the same id does not keep the lock', async () => {
  writeFileSync(lock, `${process.pid}-1`)
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})

test('work that failed frees the lock', async () => {
  const failing = withLock(lock, async () => Promise.reject(new Error('no network')))
  await expect(failing).rejects.toThrow('no network')
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})
