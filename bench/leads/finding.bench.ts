import type { LeadFilter } from '../../src/domain/lead/lead-filter.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import type { Bench } from '../bench.ts'
import { plainFigure } from '../figure.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import { type Console, consoleOn } from './set-up/console-on.ts'
import { fillConsole } from './set-up/fill-console.ts'
import { fillIndex } from './set-up/fill-index.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { StoreKind } from './set-up/lead-store.ts'

const many = Number(process.env.BENCH_LEADS ?? sized(1_000_000, 400))

/** The first rounds do not count, because a real console has run for a while. */
const rounds = sized(100, 1)
const warmUps = sized(10, 0)

type Question = (console: Console) => Promise<unknown>

const leads =
  (filter: Partial<LeadFilter>): Question =>
  ({ browse }) =>
    browse({ filter })

const person =
  (key: string): Question =>
  ({ browse }) =>
    browse({ keys: [key] })

/** Lists, single filters, searches and details: at most 100 ms each. */
const simple: Readonly<Record<string, Question>> = {
  'all leads': leads({}),
  'a status': leads({ status: ['delivered'] }),
  'a rarer status': leads({ status: ['dead'] }),
  'several states': leads({ state: ['FL', 'CA'] }),
  'an error': leads({ error: ['503'] }),
  'an affiliate': leads({ affiliate: ['affiliate-7'] }),
  'a last name': person('name-7'),
  nobody: person('email-0'),
  'a page further back': ({ browse, middle }) => browse({ after: middle }),
  'one lead': ({ view, middle }) => view(middle.id),
  'the next one in quarantine': ({ reviewQuarantine }) => reviewQuarantine(),
  'the audit': ({ readAudit }) => readAudit({}),
  'a rarer act in the audit': ({ readAudit }) => readAudit({ action: 'exported leads' }),
  jobs: ({ listJobs }) => listJobs(),
  'groups of errors': ({ groupErrors }) => groupErrors(),
}

/**
 * Several filters together: at most 300 ms each. Each filter alone matches many leads; some combinations match none.
 */
const combined: Readonly<Record<string, Question>> = {
  'several values': leads({ status: ['dead', 'rejected'], state: ['FL', 'CA'] }),
  'several values that never meet': leads({ status: ['dead', 'rejected'], state: ['NY', 'CA'] }),
  'many filters': leads({
    status: ['delivered'],
    area: ['business'],
    state: ['FL'],
    signal: ['too-fast'],
  }),
  'filters that never meet': leads({ error: ['503'], state: ['NY'] }),
  'frequent filters that never meet': leads({
    status: ['rejected'],
    state: ['CA'],
    area: ['general'],
  }),
  'an affiliate in a state': leads({ affiliate: ['affiliate-7'], state: ['NY'] }),
  'deliveries in progress': leads({ status: ['leased'] }),
  'everything but one status': leads({
    status: ['pending', 'leased', 'delivered', 'rejected', 'quarantined', 'duplicate', 'erased'],
    area: ['general'],
  }),
  'a last name in a state': ({ browse }) => browse({ keys: ['name-7'], filter: { state: ['NY'] } }),
}

/** Each list, filter, search and detail as the console queries it. */
export const finding = (kind: StoreKind): Bench => ({
  name: `finding-leads-${kind.id}`,
  title: `Finding among ${many.toLocaleString('en-US')} leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const place = await makeStore()
    await fillStore(place, { delivered: many / 2, waiting: many / 2 })
    await fillConsole(place)
    await fillIndex(place)
    const store = await openStore(place.settings)
    workshop.atEnd(store.close)
    const console = await consoleOn(store)
    const measureEach = async (questions: typeof simple, atMost: number) => {
      const figures = []
      for (const [name, question] of Object.entries(questions)) {
        const samples = await ask(question, console, rounds * workshop.runs)
        figures.push(
          plainFigure({
            name: `p95 of finding ${name}, ${kind.name}`,
            value: percentile(samples, 95),
            unit: 'ms',
            limit: { atMost },
          }),
        )
      }
      return figures
    }
    return [...(await measureEach(simple, 100)), ...(await measureEach(combined, 300))]
  },
})

/** Resolves with the milliseconds of each query. */
async function ask(question: Question, console: Console, times: number): Promise<number[]> {
  const samples: number[] = []
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await question(console)
  for (let round = 0; round < times; round++) {
    const begunAt = performance.now()
    await question(console)
    samples.push(performance.now() - begunAt)
  }
  return samples
}
