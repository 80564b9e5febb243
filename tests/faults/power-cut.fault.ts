import { setTimeout } from 'node:timers/promises'
import { describe, type TestContext, test } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { makeCuttableDisk, whyNoCuttableDisk } from '#tests/disk/cuttable-disk.ts'
import { makeFaultyDisk } from '#tests/disk/faulty-disk.ts'
import { until } from '#tests/patience/until.ts'
import { startPostgres } from '#tests/postgres/start-postgres.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { accountFor, drained } from './account.ts'
import { hangsUpOnOneIn, startDistributor } from './distributor.ts'
import { loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { wrongInLists } from './lists.ts'
import { shortLeases } from './product-env.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { placeAt, placeIn, startLeftAlone, startSetUp } from './set-ups.ts'
import type { SuccessiveProcesses } from './successive-processes.ts'
import { startVisitors } from './visitors.ts'

const cuts = times({ modest: 2, full: 100 })
/** Visitors repeat their enquiry until the power is back. */
const patience = 2000
/** The smallest number of enquiries that are stored between two cuts. */
const some = 20

/** The machines that lose their power, and how each starts again. */
const machines = [
  {
    name: 'SQLite',
    diskMb: 96,
    roles: ['all'],
    startOn: startSetUp,
    onDisk: async (folder: string) => ({
      makePlace: placeIn(folder),
      fall: ([machine]: Processes) => machine?.end('SIGKILL'),
      rise: ([machine]: Processes) => machine?.start(),
    }),
  },
  {
    name: 'PostgreSQL',
    diskMb: 384,
    roles: ['web', 'worker', 'worker'],
    // Only the database loses its power.
    startOn: async (...given: Parameters<typeof startLeftAlone>) => ({
      ...(await startLeftAlone(...given)),
      processes: [],
    }),
    onDisk: async (folder: string, { onTestFinished }: TestContext) => {
      const postgres = await startPostgres(folder)
      onTestFinished(postgres.stop)
      return { makePlace: placeAt(postgres.url), fall: postgres.kill, rise: postgres.restart }
    },
  },
]

type Processes = readonly SuccessiveProcesses[]

const why = whyNoCuttableDisk()

describe.skipIf(why !== undefined)(`the power is cut${why ? `: ${why}` : ''}`, () => {
  async function plugIn(sizeMb: number, { onTestFinished }: TestContext) {
    const disk = await makeCuttableDisk(sizeMb)
    onTestFinished(disk.remove)
    return disk
  }

  test.concurrent.for(machines)('at random moments under load: $name', async (machine, context) => {
    const { name, diskMb, roles, startOn, onDisk } = machine
    const disk = await plugIn(diskMb, context)
    const { makePlace, fall, rise } = await onDisk(disk.folder, context)
    const distributor = await startDistributor(hangsUpOnOneIn(50))
    context.onTestFinished(distributor.stop)
    const { settings, processes, site } = await startOn(
      { makePlace, roles },
      distributor,
      context,
      shortLeases,
    )
    const random = seededRandom(`power cut ${name}`)
    const visitors = startVisitors({ atOnce: 16, site, patience, rest: loadRests })
    for (let cut = 0; cut < cuts; cut++) {
      const before = visitors.acknowledged.size
      const areThanked = () => visitors.acknowledged.size >= before + some
      // One in five cuts happens during the start, while the process opens the store, reads the old log or looks for
      // due deliveries.
      if (random(0, 1) > 0.2) await until(areThanked)
      await setTimeout(random(0, 500))
      await disk.cutPower()
      await fall(processes)
      await disk.restorePower()
      await rise(processes)
    }
    await visitors.leave()
    await drained(settings)
    const account = await accountFor(visitors, distributor, settings)
    const inLists = await wrongInLists(settings)
    figure(`Power cuts under load, ${name}`, { cuts, ...account, wrongInLists: inLists, seed })
    context.expect(inLists).toBe(0)
  })

  test.concurrent('the test notices a disk that ignores flushes', async (context) => {
    const disk = await plugIn(96, context)
    const liar = makeFaultyDisk(disk.folder)
    liar.lie()
    const distributor = await startDistributor()
    context.onTestFinished(distributor.stop)
    const { settings, processes, site } = await startSetUp(
      { makePlace: placeIn(disk.folder), roles: ['web'] },
      distributor,
      context,
      liar.env,
    )
    const { acknowledged, gone } = startVisitors({ atOnce: 16, site, enquiries: 100 })
    await gone
    await disk.cutPower()
    await processes[0]?.end('SIGKILL')
    await disk.restorePower()
    const stored = await storedKeys(settings)
    const lost = [...acknowledged.keys()].filter((key) => !stored.has(key)).length
    figure('A power cut with a disk that lies, SQLite', { acknowledged: acknowledged.size, lost })
    context.expect(lost).toBeGreaterThan(0)
  })
})

/** Reads the stored keys; none if even the table is missing. */
async function storedKeys(settings: StoreSettings): Promise<ReadonlySet<unknown>> {
  const rows = await askStore(settings, 'select idempotency_key as key from leads').catch(() => [])
  return new Set(rows.map(({ key }) => key))
}
