import { expect, onTestFinished, test } from 'vitest'
import { signIn } from '#tests/console/console-visitor.ts'
import { startDistributor } from '#tests/faults/distributor.ts'
import { productEnv } from '#tests/faults/product-env.ts'
import { until, untilPasses } from '#tests/patience/until.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { whileAsking } from '#tests/store/ask-store.ts'
import { postgresPlace, sqlitePlace } from '#tests/store/store-places.ts'

const hour = 3_600_000

/** Starts roles on a PostgreSQL database, each on a machine whose clock is ahead by some milliseconds. */
async function startMachines(aheadOf: Readonly<Record<'web' | 'worker' | 'console', number>>) {
  const place = await postgresPlace()
  onTestFinished(place.remove)
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const clocks = { ...aheadOf }
  const start = async (role: keyof typeof clocks) => {
    const product = await startInProcess(
      productEnv(place.settings, distributor, { ROLE: role }),
      undefined,
      () => Date.now() + clocks[role],
    )
    onTestFinished(product.stop)
    return product
  }
  const [web, worker, console] = [await start('web'), await start('worker'), await start('console')]
  return { place, distributor, clocks, web, worker, console }
}

const textOf = async (url: string) => (await fetch(url)).text()
const clockOf = async ({ url }: { readonly url: string }) =>
  JSON.parse(await textOf(`${url}/readyz`)).clock

test.for([
  { web: 5 * hour, worker: 0, console: -3 * hour },
  { web: -40 * 60_000, worker: 7 * hour, console: 0 },
])(
  'PostgreSQL’s time decides, and wrong clocks are reported: $web, $worker, $console ms ahead',
  async (ahead) => {
    const { place, distributor, clocks, web, worker, console } = await startMachines(ahead)
    const api = await apiVisitor(web.url)
    const reply = await api.post('leads', exampleLead(), newKey())
    expect(reply.status).toBe(201)
    await until(() => distributor.received.length === 1)
    await whileAsking(place.settings, async (ask) => {
      const [now] = await ask('select cast(extract(epoch from now()) * 1000 as bigint) as ms')
      const settled = () =>
        ask('select settled_at as ms from deliveries where settled_at is not null')
      await until(async () => (await settled()).length > 0)
      const times = await ask(
        'select received_at as ms from leads union all select started_at from attempts',
      )
      for (const { ms } of [...times, ...(await settled())]) {
        expect(Math.abs(Number(ms) - Number(now?.ms))).toBeLessThan(10 * 60_000)
      }
    })

    for (const [role, product] of Object.entries({ web, worker })) {
      const ms = ahead[role as keyof typeof ahead]
      const isWrong = ms !== 0
      const clock = await clockOf(product)
      if (!isWrong) expect(clock).toBeUndefined()
      else expect(clock).toMatch(ms > 0 ? / ahead of / : / behind /)
      const metrics = await textOf(`${product.url}/metrics`)
      const seconds = Number(/^clock_ahead_seconds (.+)$/m.exec(metrics)?.[1])
      expect(Math.abs(seconds * 1000 - ms)).toBeLessThan(5000)
      expect(product.logLines.join('').includes('the clock of this machine is wrong')).toBe(isWrong)
    }

    // One process's overview names the others, too.
    const admin = await signIn(console.consoleLink)
    const overview = async () => (await admin.get('/')).text()
    const wrong = Object.entries(ahead).filter(([, ms]) => ms !== 0)
    await untilPasses(async () =>
      expect(await overview()).toContain(`${wrong.length} processes have a wrong clock`),
    )
    for (const [role] of wrong) expect(await overview()).toContain(`${role}, process`)

    // A clock that is set while the process runs is right, or wrong, at once; the next measurement withdraws the warning.
    Object.assign(clocks, { web: 0, worker: 0, console: 0 })
    expect(await clockOf(web)).toBeUndefined()
    await untilPasses(async () => expect(await overview()).not.toContain('a wrong clock'))
  },
)

test('on SQLite the machine’s clock decides, and is never wrong', async () => {
  const place = await sqlitePlace()
  onTestFinished(place.remove)
  const env = { DATA_DIR: place.settings.dataDir, ROLE: 'all' }
  const product = await startInProcess(env, undefined, () => Date.now() + 5 * hour)
  onTestFinished(product.stop)
  expect(await clockOf(product)).toBeUndefined()
  expect(await textOf(`${product.url}/metrics`)).toContain('clock_ahead_seconds 0\n')
})
