import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#server/config/environment.ts'
import { secretFileNames } from '#server/config/secret-files.ts'

const folder = resolve(import.meta.dirname, '../../deploy/systemd')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const unit = read('campus-enquiry@.service')
const services = readdirSync(folder).filter((name) => name.endsWith('.service'))

test('the settings that the unit names are the product’s', () => {
  const names = [
    ...unit.matchAll(/^#?Environment=([A-Z_]+)=/gm),
    ...read('store.env').matchAll(/^#?([A-Z_]+)=/gm),
  ].map(([, name = '']) => name)
  expect(names).toContain('DATABASE_URL_FILE')
  const known = new Set<string>([...settingNames, ...secretFileNames])
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('each secret that is read from a file is given as a credential', () => {
  const read = [...unit.matchAll(/^#?Environment=\w+_FILE=%d\/(\S+)$/gm)].map(([, name]) => name)
  const given = [...unit.matchAll(/^#?LoadCredential=([\w-]+):/gm)].map(([, name]) => name)
  expect(read).toHaveLength(2)
  expect(read.toSorted()).toEqual(given.toSorted())
})

test('a start has ended when the product serves, and a long migration is waited for', () => {
  expect(unit).toMatch(/^Type=notify$/m)
  expect(unit).toMatch(/^NotifyAccess=all$/m)
  expect(unit).toMatch(/^TimeoutStartSec=5min$/m)
})

test('a fault of the configuration is not tried again, and a stop has the time that it takes', () => {
  expect(unit).toMatch(/^RestartPreventExitStatus=78$/m)
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(10)
})

test('a reload looks at catalogue and words before the product is told to', () => {
  const reloads = [...unit.matchAll(/^ExecReload=(.+)$/gm)].map(([, command]) => command)
  expect(reloads).toEqual([
    expect.stringMatching(/ dist\/server\/leads\.js catalogue check$/),
    expect.stringMatching(/ dist\/server\/leads\.js content check$/),
    '/bin/kill -HUP $MAINPID',
  ])
})

test.each(services)('%s can gain no right, and write to its own folder alone', (name) => {
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
    expect(read(name).split('\n')).toContain(line)
  }
  expect(read(name)).not.toMatch(/^ReadWritePaths=/m)
})

test('the units and the verbs take the store from one file, whatever else is set for a unit', () => {
  const files = (name: string) =>
    [...read(name).matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
  for (const name of services) {
    expect(files(name).at(-1)).toBe('/etc/campus-enquiry/store.env')
    expect(read(name)).not.toMatch(/^Environment=.*(DATA_DIR|DATABASE_URL)/m)
  }
  const verbs = readFileSync(resolve(folder, '../leads'), 'utf8')
  expect(verbs).toContain('STORE_SETTINGS-/etc/campus-enquiry/store.env')
})

test('a release on trial takes no port of the process that it is tried beside', () => {
  const trial = read('campus-enquiry-trial@.service.d/trial.conf')
  const ports = settingNames.filter((name) => name.endsWith('PORT') && name !== 'SANDBOX_PORT')
  expect(ports).toContain('CONSOLE_PORT')
  for (const name of ports) expect(trial).toMatch(new RegExp(`^ExecStart=.* ${name}=0 `, 'm'))
})
