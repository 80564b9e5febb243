import { startProcess } from '../../tests/product/start-process.ts'
import { answersPerSecond } from '../answers-per-second.ts'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import type { StoreKind } from './lead-store.ts'
import { atOnce, postLeads } from './post-leads.ts'

/** Short, and taken in turn with the reference, so that a machine that slows down for a while slows down both. */
const roundMs = 1000
const roundsInARun = 3
/** The first seconds of a process are its compiler's. */
const warmUpMs = 2000

/** What durability costs a server that can do nothing cheaper than say that it is alive. */
export const accepting = (kind: StoreKind): Bench => ({
  name: `accepting-${kind.id}`,
  title: `Accepting leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const { env } = await makeStore()
    const product = await startProcess({ ...env, ROLE: 'web' })
    workshop.atEnd(product.stop)
    const health = `${product.url}/healthz`
    const samples = { leads: [] as number[], health: [] as number[] }
    await postLeads(product.url, warmUpMs)
    await answersPerSecond(health, atOnce, warmUpMs)
    for (let round = 0; round < workshop.runs * roundsInARun; round++) {
      samples.leads.push((await postLeads(product.url, roundMs)).perSecond)
      samples.health.push(await answersPerSecond(health, atOnce, roundMs))
    }
    return [
      ratioFigure({
        name: `POST /api/leads, ${atOnce} at once, ${kind.name}`,
        ours: median(samples.leads),
        reference: median(samples.health),
        against: "the same server's GET /healthz",
        unit: '/s',
        limit: { atLeast: 0.5 },
        samples,
      }),
    ]
  },
})
