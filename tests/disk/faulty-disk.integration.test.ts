import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FaultyDisk, makeFaultyDisk } from './faulty-disk.ts'

/**
 * Stores a row of as many bytes as each input line says, and answers with `stored` and the milliseconds, or with the
 * error.
 */
const writer = `
  const { DatabaseSync } = require('node:sqlite')
  const { join } = require('node:path')
  const db = new DatabaseSync(join(process.argv[1], 'rows.sqlite'))
  db.exec('pragma journal_mode = wal; pragma synchronous = full; create table rows (bytes blob)')
  const lines = require('node:readline').createInterface({ input: process.stdin })
  const insert = db.prepare('insert into rows values (zeroblob(?))')
  lines.on('line', (bytes) => {
    const since = performance.now()
    try {
      insert.run(Number(bytes))
      console.log('stored ' + (performance.now() - since))
    } catch (error) {
      console.log(error.message)
    }
  })`

let folder: string
let disk: FaultyDisk
let write: (bytes?: number) => Promise<string>
let end: () => Promise<unknown>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faulty-disk-test-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  disk = makeFaultyDisk(data)
  const child = spawn(process.execPath, ['-e', writer, data], {
    env: { PATH: process.env.PATH, ...disk.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  write = async (bytes = 1) => {
    child.stdin.write(`${bytes}\n`)
    return (await answers.next()).value ?? ''
  }
  end = () => {
    child.stdin.end()
    return once(child, 'exit')
  }
})

afterEach(async () => {
  await end()
  rmSync(folder, { recursive: true })
})

test.each([
  ['ENOSPC', 'database or disk is full'],
  ['EIO', 'disk I/O error'],
  ['EROFS', 'disk I/O error'],
] as const)(
  '%s stops a running process from writing until the disk works again',
  async (fault, words) => {
    expect(await write()).toContain('stored')
    disk.failWith(fault)
    expect(await write()).toBe(words)
    disk.heal()
    expect(await write()).toContain('stored')
  },
)

test('an almost full disk accepts small commits, one after the other', async () => {
  await write()
  disk.fillBut(16_384)
  expect(await write()).toContain('stored')
  expect(await write(50_000)).toBe('database or disk is full')
  expect(await write()).toContain('stored')
  disk.heal()
  expect(await write(50_000)).toContain('stored')
})

test('on a slow disk, each sync waits', async () => {
  await write()
  disk.slowDown(200)
  expect(Number((await write()).replace('stored ', ''))).toBeGreaterThanOrEqual(200)
})
