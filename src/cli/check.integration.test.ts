import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import { freePort } from '#tests/product/free-port.ts'
import { startLiar } from '#tests/sign-on/start-liar.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { startHostileServer } from '#tests/third-parties/hostile-server.ts'

const dataDir = join(tmpdir(), 'enquiry-that-nobody-makes')

async function check(variables: Record<string, string>) {
  const ended = await sayVerb({ dataDir }, ['check'], variables)
  expect(existsSync(dataDir)).toBe(false)
  return ended
}

test('each third party is checked without a lead or a billed call, and all faults are listed at once', async () => {
  const asked: string[] = []
  const distributor = await startHostileServer((socket, request) => {
    asked.push(request)
    socket.destroy()
  })
  const ip = await startAnsweringServer([{ status: 200, body: { ip: '8.8.8.8' } }])
  onTestFinished(async () => void (await Promise.all([distributor.stop(), ip.stop()])))
  const nobody = `http://127.0.0.1:${await freePort()}`
  const { code, stdout, stderr } = await check({
    DISTRIBUTOR_URL: `${distributor.url}/incoming?key=open-sesame`,
    GEOCODING_URL: nobody,
    IP_LOOKUP_URL: `${ip.url}/{ip}`,
    DATABASE_URL: `postgres://user:open-sesame@127.0.0.1:${await freePort()}/leads`,
  })
  expect(code).toBe(78)
  expect(stdout).toMatch(/^ok +settings +demo, ROLE=all$/m)
  expect(stdout).toMatch(/^ok +catalogue +70 programs on offer$/m)
  expect(stdout).toMatch(/^ok +texts +5 landing pages in content\/$/m)
  expect(stdout).toMatch(/^ok +asserted +tcpa_consent: .*not cover phone/m)
  expect(stdout).toMatch(/^ok +asserted +gender: F on every lead/m)
  expect(stdout).toMatch(/^ok +distributor .*no request was sent/m)
  expect(stdout).toMatch(/^FAULT +geocoding .*ECONNREFUSED/m)
  expect(stdout).toMatch(/^ok +address validation +the sandbox/m)
  expect(stdout).toMatch(/^FAULT +IP lookup .*contains no IPv4 address/m)
  expect(stdout).toMatch(/^FAULT +PostgreSQL .*ECONNREFUSED/m)
  expect(stderr).toContain('3 faults')
  expect(stdout + stderr).not.toContain('open-sesame')
  expect(asked).toEqual([])
})

test('correct settings exit with 0; all wrong settings are listed', async () => {
  const ip = await startAnsweringServer(
    ['8.8.8.8', 'Not found'].map((IPv4) => ({ status: 200, body: { IPv4 } })),
  )
  onTestFinished(ip.stop)
  const right = await check({ IP_LOOKUP_URL: ip.url, ADDRESS_CHECK: 'offline' })
  expect(right).toMatchObject({ code: 0, stderr: '' })
  expect(right.stdout).toMatch(/^ok +IP lookup .*answered a call .* with an IP address$/m)
  const unknowing = await check({ IP_LOOKUP_URL: ip.url, ADDRESS_CHECK: 'offline' })
  expect(unknowing.code).toBe(78)
  expect(unknowing.stdout).toMatch(/^FAULT +IP lookup .*every lead would be sent with FALLBACK_IP/m)
  const wrong = await check({ PORT: 'eighty', ROLE: 'boss' })
  expect(wrong.code).toBe(78)
  expect(wrong.stdout).toMatch(/^FAULT +settings +PORT /m)
  expect(wrong.stdout).toMatch(/^FAULT +settings +ROLE /m)
})

const ofDatabase = async (url: string) => {
  const { code, stdout, stderr } = await check({ DATABASE_URL: url })
  const look = stdout.split('\n').find((line) => line.includes('PostgreSQL')) ?? ''
  expect(stdout + stderr).not.toContain(new URL(url).password)
  return { code, look }
}

test('the check signs in to PostgreSQL: a wrong password, a missing or read-only database are faults', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const wrongPassword = Object.assign(new URL(url), { password: 'not-this-one' }).href
  expect(await ofDatabase(wrongPassword)).toEqual({
    code: 78,
    look: expect.stringMatching(/^FAULT .*28P01: password authentication failed/),
  })
  const missing = Object.assign(new URL(url), { pathname: 'nobody_made_this' }).href
  expect(await ofDatabase(missing)).toEqual({
    code: 78,
    look: expect.stringMatching(/^FAULT .*database "nobody_made_this" does not exist/),
  })
  const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`
  expect(await ofDatabase(readOnly)).toEqual({
    code: 78,
    look: expect.stringMatching(/^FAULT .*read-only/),
  })
})

test('the schema of PostgreSQL is described and left as it is', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const settings = { dataDir, databaseUrl: url }
  const tables = async () =>
    (await askStore(settings, "select 1 from pg_tables where schemaname = 'public'")).length
  expect(await ofDatabase(url)).toEqual({
    code: 0,
    look: expect.stringMatching(/^ok .*signed in; the database is empty/),
  })
  expect(await tables()).toBe(0)

  const store = await openStore(settings)
  await store.migrate()
  await store.close()
  const after = async (statement: string) => {
    await runStatements(url, statement)
    const before = await tables()
    const found = await ofDatabase(url)
    expect(await tables()).toBe(before)
    return found
  }
  const later = (migration: string) =>
    `insert into kysely_migration values ('${migration}', '2099-01-01')`
  expect(await after('select 1')).toMatchObject({
    code: 0,
    look: expect.stringContaining('the schema is current'),
  })
  expect(await after(later('9998-more'))).toMatchObject({
    code: 0,
    look: expect.stringContaining('the schema is newer'),
  })
  expect(await after(later('9999-needs-99.0.0-drop-columns'))).toMatchObject({
    code: 78,
    look: expect.stringContaining('Start version 99.0.0 or later'),
  })
  expect(
    await after("delete from kysely_migration where name like '999%' or name like '0022-%'"),
  ).toMatchObject({ code: 0, look: expect.stringContaining('the schema is older') })
})

test('a data folder that cannot be written to is a fault', async () => {
  const file = join(tmpdir(), `no-folder-${process.pid}`)
  await writeFile(file, '')
  onTestFinished(() => rm(file))
  for (const folder of [file, join(file, 'data')]) {
    const { code, stdout } = await check({ DATA_DIR: folder })
    expect(code).toBe(78)
    expect(stdout).toMatch(/^FAULT +data folder +The data folder .*ENOTDIR.*DATA_DIR\.$/m)
  }
})

test('the chat for alerts is reached without a message, and named by its setting', async () => {
  expect((await check({})).stdout).toMatch(/^ok +alerts +not used: ALERT_WEBHOOK_URL is not set$/m)
  const asked: string[] = []
  const chat = await startHostileServer((_, request) => asked.push(request))
  const ALERT_WEBHOOK_URL = `${chat.url}/open-sesame`
  const reached = await check({ ALERT_WEBHOOK_URL, ALERT_WEBHOOK_FORMAT: 'teams' })
  await chat.stop()
  expect(reached.stdout).toMatch(/^ok +alerts +ALERT_WEBHOOK_URL: .*posts as teams/m)
  expect(asked).toEqual([])
  const lost = await check({ ALERT_WEBHOOK_URL })
  expect(lost.code).toBe(78)
  expect(lost.stdout).toMatch(/^FAULT +alerts +ALERT_WEBHOOK_URL: .*ECONNREFUSED/m)
  expect(reached.stdout + lost.stdout + lost.stderr).not.toContain('open-sesame')
})

test('a single sign-on provider that cannot be reached is a fault', async () => {
  const { code, stdout } = await check({
    CONSOLE_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'open-sesame',
    CONSOLE_OIDC_ROLE_CLAIM: 'groups',
    CONSOLE_OIDC_ADMIN: 'admins',
  })
  expect(code).toBe(78)
  expect(stdout).toMatch(/^FAULT +single sign-on +127\.0\.0\.1:\d+ cannot be used/m)
  expect(stdout).not.toContain('open-sesame')
})

test('a single sign-on provider that names itself with a slash at the end is a fault with its remedy', async () => {
  const provider = await startLiar()
  onTestFinished(provider.stop)
  provider.say({ discovery: { issuer: `${provider.issuer}/o/staff/` } }, '')
  const { stdout } = await check({
    CONSOLE_OIDC_ISSUER: `${provider.issuer}/o/staff/.well-known/openid-configuration`,
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'open-sesame',
  })
  expect(stdout).toMatch(
    /^FAULT +single sign-on .*The provider calls itself http:.*\/o\/staff\/; set CONSOLE_OIDC_ISSUER to that/m,
  )
})
