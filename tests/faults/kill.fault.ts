import { setTimeout } from 'node:timers/promises'
import { test } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { accountFor, accountForNotifications, drained } from './account.ts'
import { hangsUpOnOneIn, startDistributor } from './distributor.ts'
import { loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { setUps, startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const addWebhook = (settings: StoreSettings, url: string) =>
  runInStore(
    settings,
    `insert into webhooks (id, url, events, sends_personal_data, secret, created_at)
      values ('crm', '${url}', '["accepted"]', 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 0)`,
  )

const kills = times({ modest: 3, full: 1000 })

test.concurrent.for(setUps)(
  'kill -9 at random moments under load: $name',
  async (setUp, context) => {
    const distributor = await startDistributor(hangsUpOnOneIn(50))
    context.onTestFinished(distributor.stop)
    const { settings, processes, site } = await startSetUp(setUp, distributor, context, shortLeases)
    // A webhook is a second kind of delivery in the same store.
    const crm = await startDistributor(hangsUpOnOneIn(50))
    context.onTestFinished(crm.stop)
    await processes[0]?.serving()
    await addWebhook(settings, crm.url)
    const random = seededRandom(`kill ${setUp.name}`)
    const visitors = startVisitors({ atOnce: 16, mends: 4, site, rest: loadRests })
    for (let killed = 0; killed < kills; killed++) {
      const victim = processes[Math.floor(random(0, processes.length))]
      // One in five kills happens during the start, while the process opens the store, migrates or looks for due
      // deliveries.
      if (random(0, 1) > 0.2) await victim?.serving()
      await setTimeout(random(50, 800))
      await victim?.end('SIGKILL')
      await victim?.start()
    }
    const corrections = async () => {
      const [row] = await askStore(settings, 'select count(corrects) as n from leads')
      return Number(row?.n)
    }
    // Few visitors are thanked between two kills, so this waits until somebody has corrected an enquiry.
    await context.expect.poll(corrections).toBeGreaterThan(0)
    await visitors.leave()
    await drained(settings)
    const notified = await accountForNotifications(crm, settings)
    const account = await accountFor(visitors, distributor, settings)
    figure(`kill -9 under load, ${setUp.name}`, {
      kills,
      ...account,
      corrections: await corrections(),
      ...notified,
      seed,
    })
  },
)
