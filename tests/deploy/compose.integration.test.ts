import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings, secretFileVariables } from '#server/config/read-settings.ts'
import { settingNames } from '#server/config/setting-declarations.ts'
import { accountFor, drained } from '#tests/faults/account.ts'
import { startDistributor } from '#tests/faults/distributor.ts'
import { startSetUp } from '#tests/faults/set-ups.ts'
import { startVisitors } from '#tests/faults/visitors.ts'
import { postgresPlace } from '#tests/store/store-places.ts'
import { type Compose, readCompose, readEnv } from './read-compose.ts'

const root = resolve(import.meta.dirname, '../..')
const demo = readEnv(join(root, 'deploy/demo/compose.env'))
const compose = readCompose(join(root, 'compose.yaml'))
const demoCompose = readCompose(join(root, 'compose.yaml'), demo)

const productServices = ({ services }: Compose) =>
  Object.entries(services).filter(([, { build }]) => build !== undefined)

/** A process's variables in compose's order: those of the file, then those of the service. */
function variablesOf(file: Compose, name: string): Record<string, string> {
  const { env_file = [], environment = {} } = file.services[name] ?? {}
  const fromFiles = env_file.map((path) => readEnv(join(root, path)))
  return { ...Object.assign({}, ...fromFiles), ...environment }
}

/** Sets the secrets' files to the paths from which compose would mount them. */
function withSecrets(file: Compose, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const secret = file.secrets[value.replace('/run/secrets/', '')]
      return [name, name.endsWith('_FILE') ? join(root, secret?.file ?? '') : value]
    }),
  )
}

test('the product reads every setting in compose.yaml and its settings files', () => {
  const example = readEnv(join(root, 'deploy/production.env.example'))
  const named = [
    ...productServices(compose).flatMap(([, { environment = {} }]) => Object.keys(environment)),
    ...Object.keys(readEnv(join(root, 'deploy/demo/settings.env'))),
    ...Object.keys(example),
  ]
  const known = new Set<string>([...settingNames, ...secretFileVariables])
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('the example and the secrets contain every setting that production requires', async () => {
  const example = await readFile(join(root, 'deploy/production.env.example'), 'utf8')
  const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  const secrets = Object.keys(compose.services['web-1']?.environment ?? {}).map((name) =>
    name.replace(/_FILE$/, ''),
  )
  const read = readSettings({ APP_MODE: 'production' })
  const missing = read.ok ? [] : read.faults.map((fault) => fault.split(' ')[0] ?? '')
  expect(missing.length).toBeGreaterThan(10)
  expect(missing.filter((name) => !named.includes(name) && !secrets.includes(name))).toEqual([])
})

test.each(productServices(compose).map(([name]) => name))(
  '%s cannot gain privileges and can write only to memory, or to the volume for published files',
  (name) => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
    })
    const writable = compose.services[name]?.volumes?.filter((volume) => !volume.endsWith(':ro'))
    expect(writable ?? []).toEqual(name === 'assets' ? ['assets:/assets'] : [])
  },
)

test('a container without network or secrets publishes the assets before a web process starts', () => {
  const { assets, ...services } = compose.services
  expect(assets).toMatchObject({
    command: ['node', 'deploy/publish-assets.mjs'],
    restart: 'no',
    network_mode: 'none',
    secrets: [],
    env_file: [],
  })
  for (const name of ['web-1', 'web-2']) {
    const { environment, volumes, depends_on } = services[name] ?? {}
    expect(volumes).toEqual([`assets:${environment?.ASSETS_DIR}:ro`])
    expect(depends_on).toMatchObject({ assets: { condition: 'service_completed_successfully' } })
  }
  expect(assets?.environment).toEqual({ ASSETS_DIR: '/assets' })
})

test('visitors reach the site only through the proxy, and the product trusts only its headers', () => {
  const { services, networks } = compose
  const published = Object.entries(services).filter(([, { ports, profiles }]) => ports && !profiles)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  const front = Object.entries(services).filter(([, service]) =>
    service.networks?.includes('front'),
  )
  expect(front.map(([name]) => name)).toEqual(['web-1', 'web-2', 'console', 'proxy'])
  expect(services.proxy?.networks).toEqual(['front', 'edge'])
  expect(services['web-1']?.networks).not.toContain('edge')
  const trusted = services['web-1']?.environment?.TRUSTED_PROXIES?.trim()
  expect(trusted).toBe(networks.front?.ipam?.config[0].subnet)
  const caddyfile = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
  expect(caddyfile).toContain('reverse_proxy {$UPSTREAMS:web-1:3000 web-2:3000}')
})

test('operators reach the console only by the proxy’s host name or from this machine', () => {
  const { console: desk } = compose.services
  expect(desk?.profiles).toEqual(['console', 'demo'])
  expect(desk?.ports).toEqual(['127.0.0.1:3001:3001'])
  const caddyfile = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
  expect(caddyfile).toContain('reverse_proxy {$CONSOLE_UPSTREAM:console:3001}')
  const { SITE_ORIGIN: _, ...variables } = withSecrets(
    demoCompose,
    variablesOf(demoCompose, 'console'),
  )
  expect(readSettings(variables)).toMatchObject({
    ok: true,
    settings: { role: 'console', console: { host: '0.0.0.0', origin: 'http://localhost:3001' } },
  })
  const faults = (CONSOLE_ORIGIN: string) => {
    const read = readSettings({ ...variables, APP_MODE: 'production', CONSOLE_ORIGIN })
    return read.ok ? [] : read.faults.filter((fault) => fault.startsWith('CONSOLE_'))
  }
  expect(faults('https://console.example.edu')).toEqual([])
  expect(faults('')).toEqual([expect.stringContaining('CONSOLE_ORIGIN must be https')])
})

test('a monitor reaches each process through a separate network', () => {
  const { services, networks } = compose
  const within = Object.entries(services).filter(([, service]) =>
    service.networks?.includes('monitoring'),
  )
  expect(within.map(([name]) => name)).toEqual([
    'web-1',
    'web-2',
    'worker',
    'console',
    'prometheus',
  ])
  expect(networks.monitoring).toEqual({ internal: true })
  const readers = Object.entries(services).filter(([, service]) =>
    service.networks?.includes('watch'),
  )
  expect(readers.map(([name]) => name)).toEqual(['prometheus'])
  expect(services.prometheus?.ports).toEqual(['127.0.0.1:9090:9090'])
})

test('proxy and product both get the CDN’s networks, each in its own list format', () => {
  const behind = readCompose(join(root, 'compose.yaml'), {
    CDN_NETWORKS: '203.0.113.0/24 2001:db8::/32',
  })
  expect(behind.services.proxy?.environment?.CDN_NETWORKS).toBe('203.0.113.0/24 2001:db8::/32')
  const { TRUSTED_PROXIES = '' } = behind.services['web-1']?.environment ?? {}
  expect(readSettings({ TRUSTED_PROXIES })).toMatchObject({
    ok: true,
    settings: { trustedProxies: ['172.30.84.0/24', '203.0.113.0/24', '2001:db8::/32'] },
  })
})

test('every path in compose.yaml exists', () => {
  for (const file of [compose, demoCompose]) {
    for (const { secrets = [], networks = [], volumes = [] } of Object.values(file.services)) {
      expect(Object.keys(file.secrets)).toEqual(expect.arrayContaining([...secrets]))
      expect(Object.keys(file.networks)).toEqual(expect.arrayContaining([...networks]))
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        expect(
          source.startsWith('.') ? existsSync(join(root, source)) : source in file.volumes,
        ).toBe(true)
      }
    }
  }
  for (const { file } of Object.values(demoCompose.secrets))
    expect(existsSync(join(root, file))).toBe(true)
})

test('the demo’s settings have no error and need no account', () => {
  const variables = withSecrets(demoCompose, variablesOf(demoCompose, 'web-1'))
  expect(readSettings(variables)).toMatchObject({
    ok: true,
    settings: {
      mode: 'demo',
      role: 'web',
      store: { databaseUrl: expect.stringMatching(/@database:/) },
    },
  })
})

test('four processes with compose’s settings send each lead once', async () => {
  const roles = productServices(demoCompose)
    .filter(([, { profiles, environment }]) => profiles === undefined && environment?.ROLE)
    .flatMap(([, { environment, deploy }]) =>
      Array<string>(deploy?.replicas ?? 1).fill(environment?.ROLE ?? ''),
    )
  expect(roles).toEqual(['web', 'web', 'worker', 'worker'])
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const {
    DATABASE_URL_FILE: _,
    DISTRIBUTOR_URL_FILE: __,
    ROLE: ___,
    ...shared
  } = withSecrets(demoCompose, variablesOf(demoCompose, 'web-1'))
  const { settings, site } = await startSetUp(
    { makePlace: postgresPlace, roles },
    distributor,
    { onTestFinished },
    // No IP service answers at the sandbox's address here.
    { ...shared, IP_LOOKUP_URL: '' },
  )
  const visitors = startVisitors({ atOnce: 8, enquiries: 100, site })
  await visitors.gone
  await drained(settings)
  expect(await accountFor(visitors, distributor, settings)).toMatchObject({
    acknowledged: 100,
    duplicatesSent: 0,
  })
})

test('new-secrets.sh makes matching secrets and never replaces existing ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = join(folder, 'new-secrets.sh')
  await copyFile(join(root, 'deploy/new-secrets.sh'), script)
  expect(spawnSync(script).status).toBe(0)
  const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
  expect(read('database-password')).toMatch(/^[0-9a-f]{48}$/)
  expect(new URL(read('database-url')).password).toBe(read('database-password'))
  expect((statSync(join(folder, 'secrets')).mode & 0o777).toString(8)).toBe('700')
  const before = read('database-password')
  expect(spawnSync(script).status).toBe(1)
  expect(read('database-password')).toBe(before)
})
