import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from './open-sqlite.ts'
import { snapshotSqlite } from './snapshot-sqlite.ts'

const letter = 'This is a letter to the operator, and no database at all. '.repeat(20)

const made = {
  'a folder': (file: string) => mkdirSync(file),
  'a letter': (file: string) => writeFileSync(file, letter),
  'a socket': async (file: string) => {
    const server = createServer().listen(file)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
  },
} as const

function backUp(dataDir: string) {
  const file = join(dataDir, 'copy')
  writeFileSync(file, '')
  return snapshotSqlite(dataDir, file, () => undefined)
}

test.each([
  ['opening', 'a folder', openSqlite, 'EISDIR'],
  ['opening', 'a letter', openSqlite, 'file is not a database'],
  ['backing up', 'a socket', backUp, 'unable to open database file'],
  ['backing up', 'a letter', backUp, 'file is not a database'],
] as const)('%s says what is wrong where leads.sqlite is %s', async (_, what, begin, words) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  await made[what](join(dataDir, 'leads.sqlite'))
  await expect(begin(dataDir)).rejects.toThrow(words)
})
