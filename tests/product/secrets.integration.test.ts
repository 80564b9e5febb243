import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { secretSettingNames } from '#server/config/read-settings.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { removeInventedFactsIn } from '#tests/content/without-invented-facts.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { apiVisitor } from './api-visitor.ts'
import { builtFile } from './built-file.ts'
import { copyProduct } from './copy-product.ts'
import { exampleLead, newKey } from './example-lead.ts'
import { freePort } from './free-port.ts'
import { ownValues } from './own-values.ts'
import { runToEnd } from './run-to-end.ts'
import { arrivals } from './sandbox-ledger.ts'
import { type RunningProduct, startProcess } from './start-process.ts'

/** A text in every secret, which must never appear in any output. */
const planted = 'open-sesame'

/** Every setting that may be secret, with a secret value. */
const settingsAt = (url: string) => ({
  DISTRIBUTOR_URL: `${url}/incoming/leads?token=${planted}-distributor`,
  ADDRESS_VALIDATION_URL: `${url}/${planted}-gateway`,
  GEOCODING_URL: url,
  IP_LOOKUP_URL: `${url}/json/{ip}?key=${planted}-ip`,
  GOOGLE_MAPS_API_KEY: `${planted}-google`,
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Writes each setting's value into a file, and returns the settings that name the files. */
async function asFiles(settings: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const files: Record<string, string> = {}
  for (const [name, value] of Object.entries(settings)) {
    files[`${name}_FILE`] = join(folder, name)
    await writeFile(join(folder, name), `${value}\n`)
  }
  return files
}

const passwordIn = (url: string): string => decodeURIComponent(new URL(url).password)

async function expectNothing(replies: readonly Promise<Response>[]) {
  for (const reply of await Promise.all(replies)) {
    const text = JSON.stringify([...reply.headers]) + (await reply.text())
    expect(text, `${reply.status} ${reply.url}`).not.toContain(planted)
  }
}

const pages = ['/', '/healthcare', '/information/privacy-policy', '/a/b', '/robots.txt']
const health = ['/healthz', '/readyz', '/metrics', '/sitemap.xml', '/assets/none.js']

/** Sends every request that a visitor can send, also invalid ones. */
async function askForEverything({ url }: RunningProduct) {
  const visitor = await apiVisitor(url)
  const address = { address: '123 Main St', zip: '34236' }
  const lists = ['programs', 'education-levels', 'start-dates', 'ip-address', 'nothing']
  const zips = ['34236', '99999', '99998', 'x'].map((zip) => `zip-lookups/${zip}`)
  await expectNothing([
    ...[...pages, ...health].map((path) => fetch(url + path)),
    ...[...lists, ...zips].map((path) => visitor.get(path)),
    visitor.post('address-validations', address),
    visitor.post('address-validations', { ...address, zip: '99998' }),
    visitor.post('address-validations', 'nonsense'),
    visitor.post('leads', {}),
    visitor.post('leads', exampleLead({ phone: '1' }), newKey()),
    fetch(url, { method: 'POST', body: new URLSearchParams({ step: '9' }) }),
  ])
}

test('production on PostgreSQL sends, logs and shows no secret, even if third parties fail', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  expect(passwordIn(database.url)).not.toBe('')
  const sandbox = await startSandbox({ port: 0, slowMs: 20 })
  onTestFinished(sandbox.stop)
  const port = String(await freePort())
  const secrets = { ...settingsAt(sandbox.url), DATABASE_URL: database.url }
  const folder = await temporaryFolder()
  const main = await copyProduct(folder)
  removeInventedFactsIn(join(folder, 'content'))
  const env = {
    ...ownValues,
    ...(await asFiles(secrets)),
    APP_MODE: 'production',
    PORT: port,
    SITE_ORIGIN: `http://127.0.0.1:${port}`,
    SIGNUP_URL: `http://127.0.0.1:${port}/`,
    LOG_LEVEL: 'trace',
    DRAIN_DELAY: '0s',
    DELIVERY_TIMEOUT: '300ms',
    DELIVERY_RETRY_SCHEDULE: '20ms,20ms',
  }
  const product = await startProcess(env, [main])
  onTestFinished(product.stop)
  await askForEverything(product)

  const visitor = await apiVisitor(product.url)
  const faults = ['', 'Fail500', 'Html200', 'Reset', 'Hang', 'BadJson', '302']
  for (const fault of faults) {
    const email = `lead${fault}@example.net`
    const lead = exampleLead({ email, lastName: fault ? `Sandbox-${fault}` : 'Ng' })
    expect((await visitor.post('leads', lead, newKey())).status).toBe(201)
    await arrivals(sandbox.url, email)
  }
  // The product used the secrets, so it could have leaked them.
  expect(new Set(sandbox.ledger.entries().map((one) => one.idempotencyKey)).size).toBe(
    faults.length,
  )

  // Without a server, errors name its address.
  await sandbox.stop()
  await askForEverything(product)
  await visitor.post('leads', exampleLead(), newKey())
  // By then the breaker tries one delivery at a time, every few seconds.
  await expect.poll(() => product.log()).toContain('unreachable')
  await product.stop()

  for (const said of [product.log(), product.words()]) {
    expect(said).not.toBe('')
    expect(said).not.toContain(planted)
    expect(said).not.toContain(passwordIn(database.url))
  }
})

test('a refused start prints no secret, whichever setting has it', async () => {
  const ends: readonly Readonly<Record<string, string>>[] = [
    {
      GOOGLE_MAPS_API_KEY_FILE: planted,
      DATABASE_URL: `mysql://leads:${planted}@db/leads`,
      DISTRIBUTOR_URL: `https://leads:${planted}@tenant.example/`,
      PORT: planted,
    },
    { DATABASE_URL_FILE: `postgres://leads:${planted}@db/leads` },
    { ...(await asFiles({ DATABASE_URL: `mysql://leads:${planted}@db/leads` })), ROLE: planted },
    { APP_MODE: 'production', ...settingsAt('http://tenant.example') },
  ]
  for (const env of ends) {
    const ended = await runToEnd(env)
    expect(ended.code).toBe(78)
    expect(ended.stderr).toMatch(/^The configuration needs to be corrected:\n {2}- [A-Z_]+ /)
    expect(ended.stdout + ended.stderr).not.toContain(planted)
  }
})

test('the error about a silent database names it without its password', async () => {
  const url = `postgres://leads:${planted}@127.0.0.1:1/leads?application_name=${planted}`
  const files = await asFiles({ DATABASE_URL: url })
  const ended = await runToEnd({ ...files, PORT: '0', SANDBOX_PORT: '0', CONSOLE_PORT: '0' })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(
    /^The product cannot start\. PostgreSQL at 127\.0\.0\.1:1\/leads cannot be used/,
  )
  expect(ended.stderr).not.toMatch(/\n +at /)
  expect(ended.stdout + ended.stderr).not.toContain(planted)
})

test('the operator’s commands read the same files, and print no secret', async () => {
  const dataDir = await temporaryFolder()
  const database = await freshDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  const found = await sayVerb(
    { dataDir },
    ['stats', '--json'],
    await asFiles({ DATABASE_URL: database.url }),
  )
  // The command found the database, which nobody has used yet.
  const { host, pathname, password } = new URL(database.url)
  expect(found.code).toBe(69)
  expect(found.stderr).toContain(`There is no store at ${host}${pathname}.`)
  expect(found.stderr).not.toContain(password)
  const lost = await sayVerb(
    { dataDir },
    ['stats'],
    await asFiles({ DATABASE_URL: `postgres://a:${planted}@127.0.0.1:1/b` }),
  )
  expect(lost.code).toBe(69)
  const wrong = await sayVerb({ dataDir }, ['stats'], {
    DATABASE_URL_FILE: '/run/secrets/none',
  })
  expect(wrong.code).toBe(78)
  expect(wrong.stderr).toContain(
    'DATABASE_URL cannot be read from the file that DATABASE_URL_FILE names (ENOENT)',
  )
  expect(lost.stdout + lost.stderr + wrong.stderr).not.toContain(planted)
})

test('a database’s URL with an unencoded password is refused by server and commands without showing the password', async () => {
  const dataDir = await temporaryFolder()
  for (const character of ['/', '?', '@', '% ']) {
    const DATABASE_URL = `postgres://leads:5432${character}${planted}@127.0.0.1:1/leads`
    const [set, named] = [{ DATABASE_URL }, await asFiles({ DATABASE_URL })]
    const ends = [
      await runToEnd(named),
      await sayVerb({ dataDir }, ['check'], set),
      await sayVerb({ dataDir }, ['stats'], named),
      await sayVerb({ dataDir }, ['backup', join(dataDir, 'file')], set),
      await sayVerb({ dataDir }, ['migrate-to'], named),
      await sayVerb({ dataDir }, ['migrate-to', DATABASE_URL], {}),
      // A shell splits an unquoted URL at the space.
      await sayVerb({ dataDir }, ['migrate-to', ...DATABASE_URL.split(' ')], {}),
    ]
    expect(ends.map(({ code }) => code)).toEqual([78, 78, 78, 78, 78, 2, 2])
    for (const { stdout, stderr } of ends) {
      expect(stdout + stderr).toContain('percent-encode the password')
      expect(stdout + stderr).not.toContain(planted)
    }
  }
})

test('an http URL whose user name and password look like host and port is refused without showing them', async () => {
  const url = `https://5:5432/${planted}@tenant.example/in`
  for (const name of ['ALERT_WEBHOOK_URL', 'DISTRIBUTOR_URL', 'IP_LOOKUP_URL', 'GEOCODING_URL']) {
    const { code, stdout, stderr } = await runToEnd({ APP_MODE: 'demo', [name]: url })
    expect(code).toBe(78)
    expect(stderr).toContain(`${name} must be a URL without a user name and password`)
    expect(stdout + stderr).not.toMatch(new RegExp(`5:5432|${planted}`))
  }
})

test('the browser’s files contain no setting that can be secret', async () => {
  const client = builtFile('client')
  const files = (await readdir(client, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(js|css|json|html|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    for (const name of [...secretSettingNames, 'process.env'])
      expect(text, file).not.toContain(name)
  }
})

test('--help lists the settings without their values, --version prints the build, and the server accepts no other argument', async () => {
  const help = await runToEnd({ GOOGLE_MAPS_API_KEY: planted }, undefined, ['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('GOOGLE_MAPS_API_KEY *')
  expect(help.stdout).not.toContain(planted)
  const version = await runToEnd({}, undefined, ['--version'])
  expect(version).toMatchObject({ code: 0, stderr: '' })
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+ \(build [0-9a-f]{12}\)\n$/)
  const wrong = await runToEnd({}, undefined, ['--port', '8080'])
  expect(wrong.code).toBe(64)
  expect(wrong.stderr).toContain('PORT=8080 npm start')
})
