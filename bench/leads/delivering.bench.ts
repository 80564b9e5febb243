import { startProcess } from '../../tests/product/start-process.ts'
import { askStore } from '../../tests/store/ask-store.ts'
import type { Bench, Workshop } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { sized } from '../sized.ts'
import { startFetchLoop, withoutOwnHeaders } from './load/fetch-loop.ts'
import { type Arrival, type Distributor, startDistributor } from './set-up/distributor.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'

/** The product's default. */
const concurrency = 8
const order = { skip: sized(5000, 10), count: sized(20_000, 50) }
/** More leads than the benchmark times, because at the end fewer are in progress at once. */
const waiting = order.skip + order.count + 2000

/** Measures what recording deliveries costs in addition to making the calls. */
export const delivering = (kind: StoreKind): Bench => ({
  name: `delivering-${kind.id}`,
  title: `Delivering leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const distributor = await startDistributor(workshop, 0)
    const samples = { worker: [] as number[], loop: [] as number[] }
    for (let run = 0; run < workshop.runs; run++) {
      const store = await makeStore()
      await fillStore(store, { delivered: 0, waiting })
      const arrival = await byWorker(workshop, distributor, store)
      samples.worker.push(arrival.perSecond)
      samples.loop.push(await byLoop(workshop, distributor, arrival))
    }
    return [
      ratioFigure({
        name: `deliveries per second, one worker, ${kind.name}`,
        ours: median(samples.worker),
        reference: median(samples.loop),
        against: `a bare fetch loop, ${concurrency} at once as well`,
        unit: '/s',
        // On PostgreSQL, the trigger that updates the index of leads adds work to each delivery.
        limit: { atLeast: kind.id === 'postgresql' ? 0.3 : 0.6 },
        samples,
      }),
    ]
  },
})

async function byWorker(
  { atEnd }: Workshop,
  distributor: Distributor,
  { env, settings }: LeadStore,
): Promise<Arrival> {
  const timed = distributor.time(order)
  const worker = await startProcess({
    ...env,
    ROLE: 'worker',
    DISTRIBUTOR_URL: distributor.url,
    DELIVERY_CONCURRENCY: String(concurrency),
    // The product sends the visitor's address unchanged, so that no other call affects the figure.
    IP_LOOKUP_URL: '',
  })
  atEnd(worker.stop)
  const arrival = await timed
  await worker.stop()
  const [row] = await askStore(
    settings,
    `select count(*) as delivered from deliveries where settled_as = 'delivered'`,
  )
  // If a lead arrived twice, or was not recorded, the figure would mean nothing.
  const { skip, count } = order
  if (Number(row?.delivered) < skip + count) {
    throw new Error(`${skip + count} deliveries arrived, ${row?.delivered} are settled`)
  }
  return arrival
}

/** The lead that the worker sent last, with its headers. */
async function byLoop(
  workshop: Workshop,
  { url, time }: Distributor,
  { headers, body }: Arrival,
): Promise<number> {
  const timed = time(order)
  const stop = startFetchLoop(workshop, {
    url,
    headers: withoutOwnHeaders(headers),
    body,
    concurrency,
  })
  const { perSecond } = await timed
  await stop()
  return perSecond
}
