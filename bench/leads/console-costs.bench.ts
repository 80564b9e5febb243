import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openStore } from '../../src/server/start/open-store.ts'
import { startProcess } from '../../tests/product/start-process.ts'
import { askStore } from '../../tests/store/ask-store.ts'
import { withDatabase } from '../../tests/store/with-database.ts'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import { atOnce, postLeads } from './load/post-leads.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'

/** Short, and taken in turn, so that a machine that slows down for a while slows down both. */
const roundMs = sized(1000, 100)
const roundsInARun = sized(3, 1)
const warmUpMs = sized(2000, 100)

/** Migration 0013's: without them nothing of the console's is written, and its follower has nothing to do. */
const triggers = {
  sqlite: ['lead_arrived', 'lead_released', 'lead_erased', 'delivery_changed'],
  postgresql: ['leads_arrived', 'lead_released', 'lead_erased', 'delivery_changed'],
}

/** What enquiries pay for the console's lists, those that follow in the same process included. */
export const consoleCosts = (kind: StoreKind): Bench => ({
  name: `console-costs-${kind.id}`,
  title: `Accepting leads with and without the console's lists, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const [watched, bare] = [await makeStore(), await makeStore()]
    await removeTriggers(bare)
    const start = async (place: LeadStore) => {
      await pauseDeliveries(place)
      const product = await startProcess({ ...place.env, ROLE: 'all' })
      workshop.atEnd(product.stop)
      await postLeads(product.url, warmUpMs)
      return product
    }
    const products = { watched: await start(watched), bare: await start(bare) }
    const rates = { watched: [] as number[], bare: [] as number[] }
    const slowest = { watched: [] as number[], bare: [] as number[] }
    const measure = async (which: keyof typeof products) => {
      // What the rounds before have left to follow would take from both.
      await followed(watched)
      const { perSecond, latencies } = await postLeads(products[which].url, roundMs)
      rates[which].push(perSecond)
      slowest[which].push(percentile(latencies, 99))
    }
    for (let round = 0; round < workshop.runs * roundsInARun; round++) {
      // In turn the first, as one of two neighbours is always the later one.
      const order = ['watched', 'bare'] as const
      for (const which of round % 2 === 0 ? order : order.toReversed()) await measure(which)
    }
    const name = `POST /api/leads, ${atOnce} at once, with the console's lists, ${kind.name}`
    const against = 'the same without'
    return [
      ratioFigure({
        name,
        ours: median(rates.watched),
        reference: median(rates.bare),
        ratio: ratioOf(rates),
        against,
        unit: '/s',
        limit: { atLeast: 0.95 },
        samples: rates,
      }),
      ratioFigure({
        name: `p99 of ${name}`,
        ours: median(slowest.watched),
        reference: median(slowest.bare),
        ratio: ratioOf(slowest),
        against,
        unit: 'ms',
        limit: { atMost: 1.5 },
        samples: slowest,
      }),
    ]
  },
})

const ratioOf = ({ watched, bare }: Record<'watched' | 'bare', readonly number[]>): number =>
  median(watched.map((ours, round) => ours / (bare[round] ?? Number.NaN)))

/** Deliveries would take what is left of the machine. */
async function pauseDeliveries({ settings }: LeadStore): Promise<void> {
  const store = await openStore(settings)
  await store.breaker.pause({ reason: 'measured', at: Date.now() })
  await store.close()
}

const removeTriggers = ({ settings }: LeadStore): Promise<void> =>
  withDatabase(settings, async (db) => {
    const isPostgres = settings.databaseUrl !== undefined
    for (const name of triggers[isPostgres ? 'postgresql' : 'sqlite']) {
      const table = name.startsWith('delivery') ? 'deliveries' : 'leads'
      await sql.raw(`drop trigger ${name}${isPostgres ? ` on ${table}` : ''}`).execute(db)
    }
  })

async function followed({ settings }: LeadStore): Promise<void> {
  for (;;) {
    const rows = await askStore(settings, 'select seq from lead_changes limit 1')
    if (rows.length === 0) return
    await sleep(100)
  }
}
