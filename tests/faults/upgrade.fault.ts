import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { makeRelease, makeSource } from '#tests/deploy/release-folders.ts'
import { startStandInSystemd } from '#tests/deploy/stand-in-systemd.ts'
import { startCaddy, startNginx } from '#tests/deploy/start-proxy.ts'
import { freePort } from '#tests/product/free-port.ts'
import { ownValues } from '#tests/product/own-values.ts'
import { postgresPlace } from '#tests/store/store-places.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { startVisitors } from './visitors.ts'

// By then the upgrade has mostly ended.
const leastRequests = times({ modest: 30, full: 10_000 })
/** Milliseconds, longer if all tests share the machine. */
const readerRests = times({ modest: 300, full: 1 })
const run = promisify(execFile)

const toText = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** Starts readers who request a page, its script, a list and the next page. Counts the statuses of all answers. */
function startReaders(origins: readonly string[], atOnce: number) {
  const statuses = new Map<string, number>()
  const scripts = new Set<string>()
  let isOver = false
  const ask = async (url: string): Promise<string> => {
    const reply = await fetch(url).catch((error: Error) => error)
    const status = reply instanceof Error ? String(reply.cause ?? reply) : String(reply.status)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    return reply instanceof Error ? '' : reply.text()
  }
  const reader = async (_: unknown, index: number) => {
    for (let turn = index; !isOver; turn++) {
      const origin = origins[turn % origins.length]
      const page = await ask(`${origin}/business?visit=${turn}`)
      const script = /\/assets\/hydrate-[\w-]+\.js/.exec(page)?.[0]
      if (script !== undefined) {
        scripts.add(script)
        await ask(origin + script)
      }
      await ask(`${origin}/api/programs?take=5`)
      await setTimeout(readerRests)
    }
  }
  const gone = Promise.all(Array.from({ length: atOnce }, reader))
  return {
    /** The scripts that the pages named. */
    scripts,
    statuses: () => Object.fromEntries(statuses),
    asked: () => [...statuses.values()].reduce((sum, n) => sum + n, 0),
    leave: async () => {
      isOver = true
      await gone
    },
  }
}

test('visitors notice neither an upgrade nor a rollback nor restarts in turn, behind Caddy and nginx', async ({
  expect,
  onTestFinished,
}) => {
  const product = await mkdtemp(join(tmpdir(), 'upgrade-'))
  onTestFinished(() => rm(product, { recursive: true }))
  const settings = join(product, 'etc')
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const store = await postgresPlace()
  onTestFinished(store.remove)
  const upstreams = [await freePort(), await freePort()]
  await mkdir(join(settings, 'secrets'), { recursive: true })
  const files = {
    'store.env': toText({
      DATA_DIR: product,
      DATABASE_URL_FILE: join(settings, 'database-url'),
    }),
    'database-url': store.settings.databaseUrl ?? '',
    'secrets/distributor-url': distributor.url,
    'secrets/google-maps-api-key': 'no-demo-key',
    ...Object.fromEntries(
      upstreams.map((port, index) => [
        `web-${index + 1}.env`,
        toText({
          ...ownValues,
          APP_MODE: 'production',
          PORT: String(port),
          CONSOLE_PORT: '0',
          SITE_ORIGIN: 'http://127.0.0.1',
          SIGNUP_URL: 'http://127.0.0.1/',
          TRUSTED_PROXIES: '127.0.0.1',
          IP_LOOKUP_URL: '',
          ADDRESS_CHECK: 'offline',
        }),
      ]),
    ),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(settings, name), text)

  const { script, names } = await makeSource(product)
  await makeRelease(product, names[0], 'a')
  const systemd = await startStandInSystemd({ product, settings })
  onTestFinished(systemd.stop)
  const units = ['web-1', 'web-2'].map((name) => `campus-enquiry@${name}.service`)
  const assets = join(product, 'campus-enquiry-assets')
  const upgrade = (tag: string) =>
    run(script, [tag], {
      env: {
        PATH: `${systemd.bin}:${process.env.PATH}`,
        STORE_SETTINGS: join(settings, 'store.env'),
        ASSETS_DIR: assets,
      },
    })
  // The upgrade deletes every release except the current and the previous one.
  await upgrade('a')
  await makeRelease(product, names[1], 'b')
  await Promise.all(units.map((unit) => systemd.systemctl('start', unit)))

  const origins: string[] = []
  for (const start of [startCaddy, startNginx]) {
    const { origin, stop } = await start({ upstreams })
    onTestFinished(stop)
    origins.push(origin)
  }
  let turn = 0
  const site = async () => origins[turn++ % origins.length] ?? ''
  const visitors = startVisitors({ atOnce: 2, site, rest: times({ modest: 250, full: 20 }) })
  const readers = startReaders(origins, 3)
  onTestFinished(readers.leave)
  onTestFinished(visitors.leave)

  const upgraded = await upgrade('b')
  expect(upgraded.stdout).toContain(`campus-enquiry@web-2.service runs releases/${names[1]}.`)
  let switches = 1
  for (; readers.asked() < leastRequests; switches++) {
    await upgrade(switches % 2 === 1 ? 'a' : 'b')
    await upgrade('current')
  }
  await Promise.all([readers.leave(), visitors.leave()])

  // Pages of both releases were served, and each script came from whichever process was asked.
  expect([...readers.scripts].toSorted()).toEqual([
    '/assets/hydrate-releasea.js',
    '/assets/hydrate-releaseb.js',
  ])
  expect(Object.keys(readers.statuses())).toEqual(['200'])
  expect(visitors.turnedAway()).toBe(0)
  await drained(store.settings)
  const account = await accountFor(visitors, distributor, store.settings)
  figure('upgrade under visitors, behind Caddy and nginx', {
    switches,
    pagesAndScriptsAnswered200: readers.asked(),
    enquiriesAnswered201: visitors.acknowledged.size,
    otherAnswers: visitors.turnedAway(),
    ...account,
  })
})
