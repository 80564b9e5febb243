import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secretFileVariables } from '#server/config/read-settings.ts'
import { settingNames } from '#server/config/setting-declarations.ts'

const folder = resolve(import.meta.dirname, '../../deploy/systemd')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const unit = read('campus-enquiry@.service')
const services = readdirSync(folder).filter((name) => name.endsWith('.service'))

test('the product has every setting that the unit names', () => {
  const names = [
    ...unit.matchAll(/^#?Environment=([A-Z_]+)=/gm),
    ...read('store.env').matchAll(/^#?([A-Z_]+)=/gm),
  ].map(([, name = '']) => name)
  expect(names).toContain('DATABASE_URL_FILE')
  const known = new Set<string>([...settingNames, ...secretFileVariables])
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('the unit passes each secret that comes from a file as a credential', () => {
  const read = [...unit.matchAll(/^#?Environment=\w+_FILE=%d\/(\S+)$/gm)].map(([, name]) => name)
  const given = [...unit.matchAll(/^#?LoadCredential=([\w-]+):/gm)].map(([, name]) => name)
  expect(read).toHaveLength(2)
  expect(read.toSorted()).toEqual(given.toSorted())
})

test('systemd waits until the product serves pages, even through a long migration', () => {
  expect(unit).toMatch(/^Type=notify$/m)
  expect(unit).toMatch(/^NotifyAccess=all$/m)
  expect(unit).toMatch(/^TimeoutStartSec=5min$/m)
})

test('systemd doesn’t restart the product after a configuration error, and gives it time to stop', () => {
  expect(unit).toMatch(/^RestartPreventExitStatus=78 243$/m)
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(10)
})

test('a reload checks catalogue and texts before it signals the product', () => {
  const reloads = [...unit.matchAll(/^ExecReload=(.+)$/gm)].map(([, command]) => command)
  expect(reloads).toEqual([
    expect.stringMatching(/ dist\/server\/leads\.js catalogue check$/),
    expect.stringMatching(/ dist\/server\/leads\.js content check$/),
    '/bin/kill -HUP $MAINPID',
  ])
})

test.each(services)('%s cannot gain privileges, and can write only to its own folder', (name) => {
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
    expect(read(name).split('\n')).toContain(line)
  }
  expect(read(name)).not.toMatch(/^ReadWritePaths=/m)
})

test('the backup’s unit is as restricted as the product’s', () => {
  const kept = (name: string) =>
    read(name)
      .split('\n')
      .filter((line) => /^(Protect|Private|Restrict|SystemCall|Lock|Remove|.*Capabilit)/.test(line))
      .filter((line) => !line.startsWith('RestartPrevent'))
      .toSorted()
  expect(kept('campus-enquiry-backup.service')).toEqual(kept('campus-enquiry@.service'))
})

test('systemd refuses to start a unit without settings, and doesn’t retry', () => {
  const files = [...unit.matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
  const asserted = [...unit.matchAll(/^AssertPathExists=(.+)$/gm)].map(([, file]) => file)
  expect(asserted).toEqual(files)
})

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

// The test is declared only if systemd is installed, because a skipped test counts as failed.
const whereSystemdIs = hasAnalyze ? test : () => undefined

whereSystemdIs('systemd finds nothing in the units that it does not know', () => {
  const root = mkdtempSync(join(tmpdir(), 'units-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const units = join(root, 'etc/systemd/system')
  cpSync(folder, units, { recursive: true })
  const bin = join(root, 'opt/campus-enquiry/current/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'node'), '', { mode: 0o755 })
  for (const command of ['bin/sh', 'bin/kill', 'usr/bin/env']) {
    mkdirSync(join(root, command, '..'), { recursive: true })
    writeFileSync(join(root, command), '', { mode: 0o755 })
  }
  const { stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--recursive-errors=no', '--man=no', `--root=${root}`].concat(
      'campus-enquiry@all.service',
      'campus-enquiry-backup.service',
      'campus-enquiry-backup.timer',
    ),
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
})

test('units and commands use the store that one file names, whatever else a unit sets', () => {
  const files = (name: string) =>
    [...read(name).matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
  for (const name of services) {
    expect(files(name).at(-1)).toBe('/etc/campus-enquiry/store.env')
    expect(read(name)).not.toMatch(/^Environment=.*(DATA_DIR|DATABASE_URL)/m)
  }
  const verbs = readFileSync(resolve(folder, '../leads'), 'utf8')
  expect(verbs).toContain('STORE_SETTINGS-/etc/campus-enquiry/store.env')
})
