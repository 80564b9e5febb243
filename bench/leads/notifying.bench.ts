import { randomUUIDv7 } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { makeNotifier } from '../../src/server/notifications/notifier.ts'
import { makeFailureLog } from '../../src/server/platform/observability/failure-log.ts'
import { openStore, type Store, type StoreSettings } from '../../src/server/store/open-store.ts'
import { exampleArrival } from '../../tests/store/example-arrival.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, ratioFigure } from '../figure.ts'
import { sized } from '../sized.ts'
import type { StoreKind } from './set-up/lead-store.ts'

const leads = sized(10_000, 200)
const affiliates = 40
const concurrency = 64

/** What an outage of one affiliate of 40 costs the leads and the other 39, while leads are accepted and delivered. */
export const notifying = (kind: StoreKind): Bench => ({
  name: `notifying-${kind.id}`,
  title: `One affiliate of ${affiliates} is down, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const without = await measureOutage((await makeStore()).settings, 0)
    const outage = await measureOutage((await makeStore()).settings, affiliates)
    const samples = (name: keyof typeof without) => ({
      without: [without[name]],
      outage: [outage[name]],
    })
    const against = 'without postbacks'
    return [
      ratioFigure({
        name: `leads accepted, ${kind.name}`,
        ours: leads / outage.acceptedS,
        reference: leads / without.acceptedS,
        ...{ against, unit: '/s', limit: { atLeast: 0.4 }, samples: samples('acceptedS') },
      }),
      ratioFigure({
        name: `deliveries recorded, ${kind.name}`,
        ours: leads / outage.deliveredS,
        reference: leads / without.deliveredS,
        ...{ against, unit: '/s', limit: { atLeast: 0.4 }, samples: samples('deliveredS') },
      }),
      plainFigure({
        name: `from the last delivery until the other ${affiliates - 1} knew, ${kind.name}`,
        value: outage.notifiedS - outage.deliveredS,
        ...{ unit: 's', limit: { atMost: 15 }, samples: samples('notifiedS') },
      }),
      plainFigure({
        name: `notifications of the others that wait, ${kind.name}`,
        value: outage.waiting - outage.waitingOfDown,
        ...{ unit: `beside ${outage.waitingOfDown} of the one that is down`, limit: { atMost: 0 } },
      }),
    ]
  },
})

/** Accepts and delivers leads in this process. @returns seconds since the first lead, and what waits at the end */
export async function measureOutage(settings: StoreSettings, postbacks: number) {
  const store = await openStore(settings)
  const partner = await startPartners()
  await addAffiliates(store, postbacks, partner.url)
  const log = pino({ level: 'silent' })
  const notifier = makeNotifier(
    { database: store.database, log, failureLog: makeFailureLog(log, { begins: '' }) },
    {
      ...{ timeoutMs: 15_000, allowsLocal: true, clock: Date.now },
      ...{ retrySchedule: [5000, 30_000], lease: 60_000, pollEvery: 1000 },
    },
  )
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  notifier.start()
  const accepting = accept(store).then(elapsed)
  const delivering = deliver(store).then(elapsed)
  const [acceptedS, deliveredS] = await Promise.all([accepting, delivering])
  const expected = postbacks === 0 ? 0 : leads - leads / postbacks
  while (partner.accepted() < expected) await setTimeout(20)
  const notifiedS = elapsed()
  await notifier.stop(1000)
  const waiting = await store.database.db
    .selectFrom('notifications')
    .select('destination')
    .where('settled_at', 'is', null)
    .execute()
  await store.close()
  partner.close()
  const waitingOfDown = waiting.filter(({ destination }) => destination === down).length
  return { acceptedS, deliveredS, notifiedS, waiting: waiting.length, waitingOfDown }
}

const down = 'affiliate 0'

/** A server for all affiliates, which fails for the first one. */
async function startPartners() {
  let accepted = 0
  const server = createServer((request, reply) => {
    const isDown = request.url?.startsWith('/0?')
    if (!isDown) accepted++
    reply.writeHead(isDown ? 503 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, accepted: () => accepted, close }
}

async function addAffiliates(store: Store, count: number, url: string): Promise<void> {
  for (let index = 0; index < count; index++) {
    const id = `affiliate ${index}`
    const postback_url = `${url}/${index}?click={click_id}&event={event}&payout={payout}`
    await store.database.db
      .insertInto('affiliates')
      .values({ id, name: id, notes: '', payout_cents: 1250, postback_url, created_at: 0 })
      .execute()
    const ids = { affid: `a${index}`, affiliate_id: id }
    await store.database.db.insertInto('affiliate_ids').values(ids).execute()
  }
}

async function accept(store: Store): Promise<void> {
  let next = 0
  const visitor = async () => {
    while (next < leads) {
      const subId = `a${next++ % affiliates}`
      await store.intake.accept(exampleArrival({ receivedAt: Date.now(), subId }))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, visitor))
}

/** Records every delivery as accepted, as a worker with an instant distributor would. */
async function deliver(store: Store): Promise<void> {
  let delivered = 0
  while (delivered < leads) {
    const now = Date.now()
    const claimed = await store.queue.claimDue({
      now,
      leaseUntil: now + 60_000,
      limit: concurrency,
    })
    if (claimed.length === 0) await setTimeout(10)
    await Promise.all(
      claimed.map(({ id: deliveryId, lease }) =>
        store.queue.record({
          ...{ id: randomUUIDv7(), deliveryId, lease, startedAt: now, durationMs: 1 },
          outcome: { name: 'delivered', httpStatus: 200 },
          next: { settledAs: 'delivered', at: Date.now() },
        }),
      ),
    )
    delivered += claimed.length
  }
}
