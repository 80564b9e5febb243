import { startProcess } from '../../tests/product/start-process.ts'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import type { Answers } from '../pages/load.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import { atOnce, postLeads } from './load/post-leads.ts'
import type { StoreKind } from './set-up/lead-store.ts'
import { startCountingProduct } from './set-up/start-counting-product.ts'

/** Short rounds take turns with the reference, so that a machine that slows down for a while affects both. */
const roundMs = sized(1000, 50)
const roundsInARun = sized(3, 1)
/** The first seconds do not count, because Node still compiles the code. */
const warmUpMs = sized(2000, 20)

/**
 * Measures what storing costs: the reference is the same call with the same router and rules, but with a store that
 * only counts.
 */
export const accepting = (kind: StoreKind): Bench => ({
  name: `accepting-${kind.id}`,
  title: `Accepting leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const { env } = await makeStore()
    const durable = await startProcess({ ...env, ROLE: 'web' })
    workshop.atEnd(durable.stop)
    const counting = await startCountingProduct(workshop)
    workshop.atEnd(counting.stop)
    for (const { url } of [durable, counting]) await postLeads(url, warmUpMs)
    const rounds = { durable: [] as Answers[], counting: [] as Answers[] }
    for (let round = 0; round < workshop.runs * roundsInARun; round++) {
      rounds.durable.push(await postLeads(durable.url, roundMs))
      rounds.counting.push(await postLeads(counting.url, roundMs))
    }
    const name = `POST /api/leads, ${atOnce} at once, ${kind.name}`
    const against = 'the same server with a store that only counts'
    const rates = samplesOf(rounds, ({ perSecond }) => perSecond)
    const slowest = samplesOf(rounds, ({ latencies }) => percentile(latencies, 99))
    return [
      ratioFigure({
        name,
        ours: median(rates.durable),
        reference: median(rates.counting),
        ratio: ratioOf(rates),
        against,
        unit: '/s',
        limit: { atLeast: 0.3 },
        samples: { ...rates },
      }),
      ratioFigure({
        name: `p99 of ${name}`,
        ours: median(slowest.durable),
        reference: median(slowest.counting),
        ratio: ratioOf(slowest),
        against,
        unit: 'ms',
        limit: { atMost: 3 },
        samples: { ...slowest },
      }),
    ]
  },
})

interface Rounds<Measured> {
  readonly durable: readonly Measured[]
  readonly counting: readonly Measured[]
}

const samplesOf = (
  { durable, counting }: Rounds<Answers>,
  figure: (answers: Answers) => number,
): Rounds<number> => ({ durable: durable.map(figure), counting: counting.map(figure) })

/** Compares round by round, so that a machine that is busy for a while hardly matters. */
const ratioOf = ({ durable, counting }: Rounds<number>): number =>
  median(durable.map((ours, round) => ours / (counting[round] ?? Number.NaN)))
