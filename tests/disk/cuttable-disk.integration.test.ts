import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCuttableDisk, whyNoCuttableDisk } from './cuttable-disk.ts'

const why = whyNoCuttableDisk()

describe.skipIf(why !== undefined)(`a disk whose power can be cut${why ? `: ${why}` : ''}`, () => {
  test('keeps synced data, and loses unsynced data and everything after the cut', async () => {
    const disk = await makeCuttableDisk(32)
    onTestFinished(disk.remove)
    const path = (name: string) => join(disk.folder, name)
    const writeThrough = (name: string) => {
      const file = openSync(path(name), 'w')
      try {
        writeFileSync(file, name)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    }
    writeThrough('synced')
    writeFileSync(path('only written'), 'only written')
    await disk.cutPower()
    expect(() => writeThrough('too late')).toThrow()
    await disk.restorePower()
    expect(readFileSync(path('synced'), 'utf8')).toBe('synced')
    expect(existsSync(path('only written')) && readFileSync(path('only written'), 'utf8')).not.toBe(
      'only written',
    )
    expect(existsSync(path('too late'))).toBe(false)
  })

  test('leaves no file or mount after its process is killed', async () => {
    const script = `
      import { makeCuttableDisk } from ${JSON.stringify(join(import.meta.dirname, 'cuttable-disk.ts'))}
      console.log((await makeCuttableDisk(32)).folder)`
    const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(run.stdout, 'data')
    const folder = String(said).trim()
    const mounts = () => readFileSync('/proc/mounts', 'utf8')
    expect(mounts()).toContain(folder)
    run.kill('SIGKILL')
    await expect.poll(() => existsSync(dirname(folder))).toBe(false)
    expect(mounts()).not.toContain(dirname(folder))
  })
})
