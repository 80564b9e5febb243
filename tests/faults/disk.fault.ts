import { expect, test } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { runLeads } from '#tests/cli/run-leads.ts'
import { signIn } from '#tests/console/console-visitor.ts'
import { type FaultyDisk, makeFaultyDisk } from '#tests/disk/faulty-disk.ts'
import { until } from '#tests/patience/until.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { sqlitePlace } from '#tests/store/store-places.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { saysReady, startSetUp } from './set-ups.ts'
import type { SuccessiveProcesses } from './successive-processes.ts'
import { startVisitors } from './visitors.ts'

const rounds = times({ modest: 1, full: 20 })
const faults = ['ENOSPC', 'EIO', 'EROFS'] as const
/** The number of enquiries that must be answered before the next fault. */
const some = times({ modest: 15, full: 50 })

test('the product recovers each time the disk is full, broken or read-only under load', async (context) => {
  const distributor = await startDistributor()
  context.onTestFinished(distributor.stop)
  const place = await sqlitePlace()
  const disk = makeFaultyDisk(place.settings.dataDir)
  const makePlace = async () => place
  const setUp = { makePlace, roles: ['all'] }
  const env = { ...shortLeases, ...disk.env }
  const { settings, processes, site } = await startSetUp(setUp, distributor, context, env)
  const [process] = processes
  if (process === undefined) throw new Error('No process was started.')
  const visitors = startVisitors({ atOnce: 16, site, patience: 100_000, rest: loadRests })
  const grows = async (count: () => number) => {
    const before = count()
    await until(() => count() >= before + some)
  }
  const acknowledged = () => visitors.acknowledged.size
  const said = async (words: string) => (await process.serving()).log().split(words).length - 1
  let failures = 0

  for (let round = 0; round < rounds; round++) {
    for (const fault of faults) {
      await grows(acknowledged)
      disk.failWith(fault)
      await saysReady(process, 503)
      await expectRefused(await site())
      const before = acknowledged()
      await grows(visitors.turnedAway)
      expect(acknowledged(), `nobody was thanked while ${fault}`).toBe(before)
      disk.heal()
      await saysReady(process, 200)
      failures++
      await until(async () => (await said('visitors can submit enquiries again')) === failures)
      expect(await said(`"msg":"Visitors can't submit enquiries`)).toBe(failures)
    }
  }
  await grows(acknowledged)
  await visitors.leave()
  await expectBelievedAtOnce(process, disk, place.settings)
  expect(codesIn((await process.serving()).log())).toEqual(new Set(['SQLITE_FULL', 'SQLITE_IOERR']))

  await process.end('SIGKILL')
  await process.start()
  await drained(settings)
  const account = await accountFor(visitors, distributor, settings)
  figure('disk full, broken, read-only under load, SQLite', {
    failures,
    ...account,
    acknowledgedWhileFailing: 0,
    turnedAway: visitors.turnedAway(),
  })
})

/**
 * Fills the disk so that a page still fits but an enquiry does not, and expects that monitors report the first failure
 * at once, and its end without another enquiry.
 */
async function expectBelievedAtOnce(
  process: SuccessiveProcesses,
  disk: FaultyDisk,
  settings: StoreSettings,
): Promise<void> {
  const { url, consoleLink } = await process.serving()
  const admin = await signIn(consoleLink)
  disk.fillBut(3 * 4096)
  await expectRefused(url)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('store_up 0\n')
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: "Visitors can't submit enquiries: disk full",
  })
  const words = 'submit enquiries: disk full'
  const overview = async () => (await admin.get('/')).text()
  const stats = async () => (await runLeads(settings, ['stats'], [], disk.env)).stdout
  expect(await overview()).toContain(words)
  expect(await stats()).toContain(words)
  disk.heal()
  await saysReady(process, 200)
  expect(await overview()).not.toContain(words)
  expect(await stats()).not.toContain(words)
}

const codesIn = (log: string): ReadonlySet<string> =>
  new Set(
    log
      .split('\n')
      .filter((line) => line.includes(`"msg":"Visitors can't submit enquiries`))
      .map((line) => JSON.parse(line).err.code),
  )

async function expectRefused(url: string): Promise<void> {
  const visitor = await apiVisitor(url)
  const reply = await visitor.post('leads', exampleLead(), newKey())
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('5')
  expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('again') })
}
