import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { browsers, findFirefox, findWebKit } from './browsers.mjs'
import type { Machine } from './machine.mjs'
import { SetupError } from './setup-error.mjs'

/** A machine with these programs in /usr/bin, and no way to install more. */
function machineWith(programs: string[], platform = 'linux'): Machine {
  return {
    env: { PATH: '/usr/bin' },
    platform,
    arch: 'x64',
    isRoot: false,
    exists: (path) => programs.includes(path),
    isExecutable: (path) => programs.includes(path),
    list: () => [],
    answer: (command) => (programs.includes(command) ? 'Mozilla Firefox 153.7.0esr' : undefined),
  }
}

const webkit = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb']

describe('Firefox', () => {
  test('is the ESR before another', () => {
    const machine = machineWith(['/usr/bin/firefox', '/usr/bin/firefox-esr'])
    expect(findFirefox(machine)).toEqual({ executable: '/usr/bin/firefox-esr' })
  })

  test('is whatever Firefox the system has', () => {
    expect(findFirefox(machineWith(['/usr/bin/firefox']))).toEqual({
      executable: '/usr/bin/firefox',
    })
  })

  test('is neither a snap nor a Mac’s own', () => {
    expect(findFirefox(machineWith(['/usr/bin/firefox', '/snap/bin/firefox']))).toBeUndefined()
    expect(findFirefox(machineWith(['/usr/bin/firefox'], 'darwin'))).toBeUndefined()
  })
})

test('WebKit needs a screen to draw on', () => {
  expect(findWebKit(machineWith(webkit))).toEqual({ driver: webkit[0], xvfb: webkit[1] })
  expect(findWebKit(machineWith(['/usr/bin/WebKitWebDriver']))).toBeUndefined()
})

describe('the set-up', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'browsers-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  test('keeps what it found for as long as it is there', async () => {
    const machine = machineWith(['/usr/bin/firefox-esr', ...webkit])
    expect(browsers(root, machine).isStale()).toBe(true)
    await browsers(root, machine).bring(() => undefined)
    expect(browsers(root, machine).isStale()).toBe(false)
    expect(browsers(root, machineWith(webkit)).isStale()).toBe(true)
  })

  test('says what to install where it cannot', async () => {
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(root, 'node_modules/.bin/node'), '#!/bin/sh\necho no network; exit 1\n', {
      mode: 0o755,
    })
    const bringing = browsers(root, machineWith(['/usr/bin/firefox-esr'])).bring(() => undefined)
    await expect(bringing).rejects.toThrow(SetupError)
    await expect(bringing).rejects.toThrow(/no network.*installed: webkit\..*apt install/s)
  })
})
