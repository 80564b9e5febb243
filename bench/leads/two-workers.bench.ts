import { type RunningProduct, startProcess } from '../../tests/product/start-process.ts'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { sized } from '../sized.ts'
import { startDistributor } from './set-up/distributor.ts'
import { fillStore } from './set-up/fill-store.ts'
import { postgresql } from './set-up/lead-store.ts'

const answersAfterMs = 50
const order = { skip: sized(200, 10), count: sized(800, 20) }

/** Measures how much a second worker adds. */
export const twoWorkers: Bench = {
  name: 'two-workers',
  title: 'Two workers, PostgreSQL',
  async measure(workshop) {
    const { runs, atEnd } = workshop
    const makeStore = await postgresql.prepare(workshop)
    const distributor = await startDistributor(workshop, answersAfterMs)
    const store = await makeStore()
    // Each run times one worker and then two. While the second one starts, the first delivers 160 leads a second.
    const meanwhile = sized(0, 4000)
    const timed = (runs + 1) * 3 * (order.skip + order.count)
    await fillStore(store, { delivered: 0, waiting: timed + meanwhile })
    const startWorker = async (): Promise<RunningProduct> => {
      const worker = await startProcess({
        ...store.env,
        ROLE: 'worker',
        DISTRIBUTOR_URL: distributor.url,
        IP_LOOKUP_URL: '',
      })
      atEnd(worker.stop)
      return worker
    }
    const samples = { one: [] as number[], two: [] as number[] }
    await startWorker()
    for (let run = 0; run < runs; run++) {
      samples.one.push((await distributor.time(order)).perSecond)
      const second = await startWorker()
      samples.two.push((await distributor.time(order)).perSecond)
      await second.stop()
    }
    return [
      ratioFigure({
        name: `deliveries per second, two workers, PostgreSQL, answered after ${answersAfterMs} ms`,
        ours: median(samples.two),
        reference: median(samples.one),
        against: 'one worker',
        unit: '/s',
        limit: { atLeast: 1.8 },
        samples,
      }),
    ]
  },
}
