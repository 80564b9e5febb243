import { startProcess } from '../../tests/product/start-process.ts'
import type { Bench, Workshop } from '../bench.ts'
import { type Figure, ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import { atOnce, postLeads } from './load/post-leads.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'
import { startWithoutDistributor } from './set-up/start-without-distributor.ts'

const waiting = sized(100_000, 100)
const roundMs = sized(3000, 50)
/** The first seconds do not count, because Node still compiles the code. */
const warmUpMs = sized(2000, 20)

/** Measures how an outage of the distributor, and the waiting leads that it causes, slow down visitors. */
export const backlog = (kind: StoreKind): Bench => ({
  name: `backlog-${kind.id}`,
  title: `A backlog, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const empty = await makeStore()
    const filled = await makeStore()
    await fillStore(filled, { delivered: 0, waiting })
    return [
      await restarting(kind, workshop, { filled, empty }),
      // This comes last, because it fills both stores further.
      await acceptingBeside(kind, workshop, { filled, empty }),
    ]
  },
})

interface Stores {
  readonly filled: LeadStore
  readonly empty: LeadStore
}

async function restarting(
  kind: StoreKind,
  workshop: Workshop,
  { filled, empty }: Stores,
): Promise<Figure> {
  const samples = { filled: [] as number[], empty: [] as number[] }
  // An unmeasured round, because this process loads some code at the first time.
  await timeToReady(workshop, empty)
  for (let run = 0; run < workshop.runs; run++) {
    samples.filled.push(await timeToReady(workshop, filled))
    samples.empty.push(await timeToReady(workshop, empty))
  }
  return ratioFigure({
    name: `restart with ${waiting.toLocaleString('en-US')} deliveries waiting, ${kind.name}`,
    ours: median(samples.filled),
    reference: median(samples.empty),
    against: 'an empty store',
    unit: 'ms',
    limit: { atMost: 1.5 },
    samples,
  })
}

/** Resolves with the milliseconds from the process's start until `/readyz` answers 200. */
async function timeToReady({ atEnd }: Workshop, store: LeadStore): Promise<number> {
  const startedAt = performance.now()
  const product = await startWithoutDistributor(store)
  const { status } = await fetch(`${product.url}/readyz`)
  const ms = performance.now() - startedAt
  atEnd(product.stop)
  if (status !== 200) throw new Error(`a product that had said "ready" was not: ${status}`)
  await product.stop()
  return ms
}

async function acceptingBeside(
  kind: StoreKind,
  { runs, atEnd }: Workshop,
  { filled, empty }: Stores,
): Promise<Figure> {
  const outage = await startWithoutDistributor(filled)
  atEnd(outage.stop)
  const idle = await startProcess({ ...empty.env, ROLE: 'web' })
  atEnd(idle.stop)
  const samples = { outage: [] as number[], idle: [] as number[] }
  for (const { url } of [outage, idle]) await postLeads(url, warmUpMs)
  for (let run = 0; run < runs; run++) {
    samples.outage.push(await p99(outage.url))
    samples.idle.push(await p99(idle.url))
  }
  return ratioFigure({
    name: `p99 of POST /api/leads, ${atOnce} at once, distributor down, ${waiting.toLocaleString('en-US')} waiting, ${kind.name}`,
    ours: median(samples.outage),
    reference: median(samples.idle),
    ratio: median(samples.outage.map((ms, run) => ms / (samples.idle[run] ?? Number.NaN))),
    against: 'nothing waits and nothing is delivered',
    unit: 'ms',
    limit: { atMost: 1.3 },
    samples,
  })
}

const p99 = async (url: string): Promise<number> =>
  percentile((await postLeads(url, roundMs)).latencies, 99)
