import { openStore } from '../../src/server/store/open-store.ts'
import type { Bench, Workshop } from '../bench.ts'
import { type Figure, ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { sized } from '../sized.ts'
import { claimTimes } from './load/claim-times.ts'
import { megabytesInUse } from './load/megabytes-in-use.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'
import { startWithoutDistributor } from './set-up/start-without-distributor.ts'

const many = sized(1_000_000, 400)
const few = sized(10_000, 100)

/**
 * Half of the leads are delivered and half are waiting, because delivered leads must not cost more than waiting ones.
 */
export const manyLeads = (kind: StoreKind): Bench => ({
  name: `many-leads-${kind.id}`,
  title: `${inWords(many)} leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const large = await makeStore()
    await fillStore(large, { delivered: many / 2, waiting: many / 2 })
    const small = await makeStore()
    await fillStore(small, { delivered: few / 2, waiting: few / 2 })
    return [
      await claiming(kind, workshop, { large, small }),
      await memory(kind, workshop, { large, empty: await makeStore() }),
    ]
  },
})

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}

async function claiming(
  kind: StoreKind,
  { runs, atEnd }: Workshop,
  stores: { readonly large: LeadStore; readonly small: LeadStore },
): Promise<Figure> {
  const large = await openStore(stores.large.settings)
  atEnd(large.close)
  const small = await openStore(stores.small.settings)
  atEnd(small.close)
  const samples = { large: [] as number[], small: [] as number[] }
  // An unmeasured round for the compiler and the caches.
  await claimTimes({ large, small })
  for (let run = 0; run < runs; run++) {
    const times = await claimTimes({ large, small })
    samples.large.push(times.large)
    samples.small.push(times.small)
  }
  return ratioFigure({
    name: `claiming one due delivery, ${inWords(many)} leads in the store, ${kind.name}`,
    ours: median(samples.large),
    reference: median(samples.small),
    ratio: median(samples.large.map((ms, run) => ms / (samples.small[run] ?? Number.NaN))),
    against: `${inWords(few)} leads`,
    unit: 'ms',
    limit: { atMost: 1.2 },
    samples,
  })
}

async function memory(
  kind: StoreKind,
  { runs, atEnd }: Workshop,
  stores: { readonly large: LeadStore; readonly empty: LeadStore },
): Promise<Figure> {
  const large = await startWithoutDistributor(stores.large)
  atEnd(large.stop)
  const empty = await startWithoutDistributor(stores.empty)
  atEnd(empty.stop)
  const samples = { large: [] as number[], empty: [] as number[] }
  for (let run = 0; run < runs; run++) {
    samples.large.push(await megabytesInUse(large))
    samples.empty.push(await megabytesInUse(empty))
  }
  return ratioFigure({
    name: `memory with ${inWords(many)} leads stored, ${kind.name}`,
    ours: median(samples.large),
    reference: median(samples.empty),
    against: 'an empty store at first',
    unit: 'MB',
    limit: { atMost: 1.2 },
    samples,
  })
}
