import { describe, expect, test } from 'vitest'
import { findChromium } from './chromium.mjs'
import { findProgram } from './debian-programs.mjs'
import { findHeadlessShell } from './headless-shell.mjs'
import type { Machine } from './machine.mjs'
import { findPostgres } from './postgres.mjs'
import { SetupError } from './setup-error.mjs'

const root = '/clone'
const chromiumAnswer = 'Chromium 156.0'

/** A Linux machine that holds these programs, each with what it answers to `--version`. */
function machineWith(programs: Record<string, string>, env: NodeJS.ProcessEnv = {}): Machine {
  return {
    env,
    platform: 'linux',
    arch: 'x64',
    isRoot: false,
    exists: (path) => path in programs,
    isExecutable: (path) => path in programs,
    list: (folder) => [
      ...new Set(
        Object.keys(programs)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''),
      ),
    ],
    answer: (command) => programs[command] || undefined,
  }
}

function postgresAt(folder: string, major: number): Record<string, string> {
  return {
    [`${folder}/postgres`]: `postgres (PostgreSQL) ${major}.4`,
    [`${folder}/initdb`]: 'initdb',
    [`${folder}/pg_ctl`]: 'pg_ctl',
  }
}

describe('Chromium', () => {
  test('is the one that CHROMIUM_PATH names, before any other', () => {
    const programs = { '/opt/chromium': chromiumAnswer, '/usr/bin/chromium': chromiumAnswer }
    const machine = machineWith(programs, { CHROMIUM_PATH: '/opt/chromium' })
    expect(findChromium(root, machine)).toBe('/opt/chromium')
  })

  test('is the headless shell where the machine has one', () => {
    const programs = {
      '/usr/bin/chromium': chromiumAnswer,
      '/usr/bin/chromium-headless-shell': chromiumAnswer,
    }
    const machine = machineWith(programs, { PATH: '/usr/bin' })
    expect(findChromium(root, machine)).toBe('/usr/bin/chromium-headless-shell')
  })

  test('is never silently another than CHROMIUM_PATH names', () => {
    const machine = machineWith(
      { '/usr/bin/chromium': chromiumAnswer },
      { CHROMIUM_PATH: '/opt/gone' },
    )
    expect(() => findChromium(root, machine)).toThrow(SetupError)
  })

  test('is not a stub that does not start', () => {
    const machine = machineWith({
      '/usr/bin/chromium-browser': '',
      '/usr/bin/google-chrome': 'Google Chrome 156.0',
    })
    expect(findChromium(root, machine)).toBe('/usr/bin/google-chrome')
  })

  test('is Playwright’s own where the machine has none', () => {
    const machine = machineWith({
      '/clone/node_modules/.bin/node': '/cache/chrome',
      '/cache/chrome': chromiumAnswer,
    })
    expect(findChromium(root, machine)).toBe('/cache/chrome')
  })
})

describe('Chromium’s headless shell', () => {
  const playwrights = {
    '/clone/node_modules/.bin/node': '/cache/headless-shell',
    '/cache/headless-shell': chromiumAnswer,
  }

  test('is the system’s', () => {
    const programs = { ...playwrights, '/usr/bin/chromium-headless-shell': chromiumAnswer }
    const machine = machineWith(programs, { PATH: '/usr/local/bin:/usr/bin' })
    expect(findHeadlessShell(root, machine)).toBe('/usr/bin/chromium-headless-shell')
  })

  test('is Playwright’s own where the system has none', () => {
    expect(findHeadlessShell(root, machineWith(playwrights))).toBe('/cache/headless-shell')
  })

  test('is none where neither was installed: a Chromium with a window will not do', () => {
    const machine = machineWith({ '/usr/bin/chromium': chromiumAnswer }, { PATH: '/usr/bin' })
    expect(findHeadlessShell(root, machine)).toBeUndefined()
  })
})

describe('PostgreSQL', () => {
  test('is the one that POSTGRES_BIN_DIR names, before any other', () => {
    const programs = {
      ...postgresAt('/opt/pg', 16),
      ...postgresAt('/usr/lib/postgresql/17/bin', 17),
    }
    const machine = machineWith(programs, { POSTGRES_BIN_DIR: '/opt/pg' })
    expect(findPostgres(root, machine)).toBe('/opt/pg')
  })

  test('is the newest of several, by number', () => {
    const machine = machineWith({
      ...postgresAt('/usr/lib/postgresql/9/bin', 15),
      ...postgresAt('/usr/lib/postgresql/15/bin', 15),
    })
    expect(findPostgres(root, machine)).toBe('/usr/lib/postgresql/15/bin')
  })

  test('is not where pg_config points when only the client is installed', () => {
    const machine = machineWith(
      { pg_config: '/usr/bin', ...postgresAt('/usr/local/bin', 15) },
      { PATH: '/usr/local/bin' },
    )
    expect(findPostgres(root, machine)).toBe('/usr/local/bin')
  })

  test('is not a lone server that could set up no database', () => {
    const machine = machineWith(
      { '/opt/bin/postgres': 'postgres (PostgreSQL) 15.4', ...postgresAt('/usr/local/bin', 15) },
      { PATH: '/opt/bin:/usr/local/bin' },
    )
    expect(findPostgres(root, machine)).toBe('/usr/local/bin')
  })

  test('is none that is too old for the store', () => {
    const machine = machineWith(postgresAt('/usr/lib/postgresql/11/bin', 11))
    expect(findPostgres(root, machine)).toBeUndefined()
  })
})

describe.each([
  { name: 'promtool', variable: 'PROMTOOL_PATH', system: '/usr/bin' },
  { name: 'caddy', variable: 'CADDY_PATH', system: '/usr/bin' },
  { name: 'nginx', variable: 'NGINX_PATH', system: '/usr/sbin' },
] as const)('$name', ({ name, variable, system }) => {
  const fetched = { [`/clone/.cache/${name}${system}/${name}`]: '' }

  test('is the one that the environment names, and never silently another', () => {
    const env = { [variable]: '/opt/mine' }
    expect(findProgram(root, machineWith({ ...fetched, '/opt/mine': '' }, env), name)).toBe(
      '/opt/mine',
    )
    expect(() => findProgram(root, machineWith(fetched, env), name)).toThrow(SetupError)
  })

  test('is the system’s, or else what was fetched', () => {
    const programs = { ...fetched, [`${system}/${name}`]: '' }
    const env = { PATH: '/usr/bin' }
    expect(findProgram(root, machineWith(programs, env), name)).toBe(`${system}/${name}`)
    expect(findProgram(root, machineWith(fetched, env), name)).toBe(Object.keys(fetched)[0])
    expect(findProgram(root, machineWith({}, env), name)).toBeUndefined()
  })
})
