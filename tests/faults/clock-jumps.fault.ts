import { setTimeout } from 'node:timers/promises'
import { test } from 'vitest'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { postgresPlace, sqlitePlace } from '#tests/store/store-places.ts'
import { accountFor, drained } from './account.ts'
import { hangsUpOnOneIn, startDistributor } from './distributor.ts'
import { loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { productEnv } from './product-env.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { startVisitors } from './visitors.ts'

const jumps = times({ modest: 20, full: 1000 })
const hour = 3_600_000

test.concurrent.for([
  // A SQLite store has a single server, so its leases come from the same clock before the jump.
  { name: 'SQLite', makePlace: sqlitePlace, processes: 1 },
  { name: 'PostgreSQL', makePlace: postgresPlace, processes: 2 },
])(
  'no lead is lost while clocks jump: $processes on $name',
  async ({ name, makePlace, processes }, context) => {
    const { onTestFinished } = context
    const { settings, remove } = await makePlace()
    onTestFinished(remove)
    const distributor = await startDistributor(hangsUpOnOneIn(20))
    onTestFinished(distributor.stop)
    const clocks = Array.from({ length: processes }, () => ({ ahead: 0 }))
    const products = await Promise.all(
      clocks.map((clock) =>
        startInProcess(
          productEnv(settings, distributor),
          undefined,
          () => Date.now() + clock.ahead,
        ),
      ),
    )
    onTestFinished(async () => {
      await Promise.all(products.map(({ stop }) => stop()))
    })
    const random = seededRandom(`clock ${name}`)
    let asked = 0
    const site = async () => products[asked++ % products.length]?.url ?? ''
    const visitors = startVisitors({ atOnce: 8, site, rest: loadRests })
    for (let jumped = 0; jumped < jumps; jumped++) {
      const clock = clocks[Math.floor(random(0, processes))]
      if (clock) clock.ahead = Math.round(random(-hour, hour))
      await setTimeout(random(20, 150))
    }
    await visitors.leave()
    // A lead that was stored or leased by SQLite's server while its clock was ahead waits until the clock has caught up.
    // On PostgreSQL no lead waits, because the database's time counts.
    for (const [index, clock] of clocks.entries()) {
      clock.ahead = processes === 1 || index === 0 ? 2 * hour : -hour
    }
    await drained(settings)
    const account = await accountFor(visitors, distributor, settings)
    figure(`Clocks that jump by up to an hour, ${name}`, { jumps, ...account, seed })
  },
)
