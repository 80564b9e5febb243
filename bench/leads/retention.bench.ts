import { setTimeout } from 'node:timers/promises'
import type { Bench, Workshop } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { percentile } from '../percentile.ts'
import { isJudged, sized } from '../sized.ts'
import { postLeadsSteadily } from './load/post-leads.ts'
import { fillIndex } from './set-up/fill-index.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'
import { startWithoutDistributor } from './set-up/start-without-distributor.ts'

const old = sized(1_000_000, 4000)
const dayMs = 24 * 60 * 60 * 1000
const keptDays = 30
const perSecond = 60
const roundMs = sized(8000, 300)
/** The first seconds do not count, because Node still compiles the code. */
const warmUpMs = sized(3000, 100)

/** Measures how much retention slows down visitors while it erases a million leads. */
export const retention = (kind: StoreKind): Bench => ({
  name: `retention-${kind.id}`,
  title: `Retention, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const store = await makeStore()
    await fillStore(store, { delivered: old, waiting: 0, ageMs: 2 * keptDays * dayMs })
    await fillIndex(store)
    const samples = { retaining: [] as number[], idle: [] as number[] }
    for (let run = 0; run < workshop.runs; run++) {
      samples.retaining.push(await p99(workshop, store, { RETENTION_DAYS: String(keptDays) }))
      samples.idle.push(await p99(workshop, store, {}))
    }
    return [
      ratioFigure({
        name: `p99 of POST /api/leads, ${perSecond} a second, while ${old.toLocaleString('en-US')} old leads are erased, ${kind.name}`,
        ours: median(samples.retaining),
        reference: median(samples.idle),
        ratio: median(samples.retaining.map((ms, run) => ms / (samples.idle[run] ?? Number.NaN))),
        against: 'the same store while nothing is erased',
        unit: 'ms',
        limit: { atMost: 1.5 },
        samples,
      }),
    ]
  },
})

/** One process after the other, so that what one leaves behind affects both. */
async function p99(
  { atEnd }: Workshop,
  store: LeadStore,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const product = await startWithoutDistributor({ ...store, env: { ...store.env, ...settings } })
  atEnd(product.stop)
  try {
    await setTimeout(warmUpMs)
    await postLeadsSteadily(product.url, { perSecond, durationMs: warmUpMs })
    const { latencies } = await postLeadsSteadily(product.url, { perSecond, durationMs: roundMs })
    await assertStillErasing(product.url, settings)
    return percentile(latencies, 99)
  } finally {
    await product.stop()
  }
}

async function assertStillErasing(
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const erased = Number(/^leads_erased\{by="retention"\} (\d+)$/m.exec(metrics)?.[1])
  if (isJudged && 'RETENTION_DAYS' in settings && !(erased > 0 && erased < old)) {
    throw new Error(`of ${old} old leads ${erased} were erased when the measurement ended`)
  }
}
