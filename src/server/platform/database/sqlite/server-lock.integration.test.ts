import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findLockHolder, lockStoreForServer } from './server-lock.ts'

const module = resolve(import.meta.dirname, 'server-lock.ts')

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts another process, and resolves once that process has the lock. */
async function otherServer(dataDir: string) {
  const script = `
    const { lockStoreForServer } = await import(${JSON.stringify(module)})
    globalThis.unlock = lockStoreForServer(${JSON.stringify(dataDir)}, 'all, process 812 on alpha')
    process.stdout.write('locked')
    setInterval(() => undefined, 60_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('a second server is refused by the name of the first; kill -9 leaves nothing locked', async () => {
  const dataDir = dataFolder()
  const first = await otherServer(dataDir)
  expect(findLockHolder(dataDir)).toEqual({
    name: 'all, process 812 on alpha',
    since: expect.any(Number),
  })
  expect(() => lockStoreForServer(dataDir, 'all, process 813 on alpha')).toThrow(
    /A server uses the store in .* already: all, process 812 on alpha, since 20.*DATABASE_URL/,
  )
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(findLockHolder(dataDir)).toBeUndefined()
  expect(statSync(join(dataDir, 'server.lock')).mode & 0o777).toBe(0o600)
  const unlock = lockStoreForServer(dataDir, 'all, process 813 on alpha')
  expect(findLockHolder(dataDir)).toMatchObject({ name: 'all, process 813 on alpha' })
  unlock()
  expect(findLockHolder(dataDir)).toBeUndefined()
})

test('an unused folder has no server, and the search creates nothing', () => {
  const dataDir = dataFolder()
  expect(findLockHolder(join(dataDir, 'none'))).toBeUndefined()
})

test('a folder that cannot be created is reported', () => {
  expect(() => lockStoreForServer('/dev/null/campus-enquiry', 'all')).toThrow(
    /The data folder \/dev\/null\/campus-enquiry cannot be used \(E.*DATA_DIR/,
  )
})
