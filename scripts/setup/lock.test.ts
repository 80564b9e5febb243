import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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

test('of two at once, the second waits for the first to end', async () => {
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
    (pids) => {
      order.push(`second waits for ${pids}`)
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

test('what a dead process left is taken over', async () => {
  const { pid } = spawnSync(execPath, ['--version'])
  mkdirSync(lock)
  writeFileSync(join(lock, `${pid}-12345`), '')
  writeFileSync(join(lock, `${pid}-unknown`), '')
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})

test('a later process with the same id does not keep the lock', async () => {
  mkdirSync(lock)
  writeFileSync(join(lock, `${process.pid}-1`), '')
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})

test('a tool that outlived the killed set-up is waited for', async ({ onTestFinished }) => {
  const tool = spawn(execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void tool.kill())
  await once(tool, 'spawn')
  let left: string[] = []
  await withLock(lock, async (alsoHeldBy) => {
    alsoHeldBy(Number(tool.pid))
    left = readdirSync(lock).filter((name) => name.startsWith(`${tool.pid}-`))
  })
  for (const name of left) writeFileSync(join(lock, name), '')

  let waitedFor: number[] = []
  await withLock(
    lock,
    async () => {},
    (pids) => {
      waitedFor = pids
      tool.kill()
    },
  )
  expect(waitedFor).toEqual([tool.pid])
})

test('work that failed frees the lock', async () => {
  const failing = withLock(lock, async () => Promise.reject(new Error('no network')))
  await expect(failing).rejects.toThrow('no network')
  expect(await withLock(lock, async () => 'taken')).toBe('taken')
})
