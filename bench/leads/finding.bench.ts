import type { LeadFilter } from '../../src/domain/lead/lead-filter.ts'
import { openStore } from '../../src/server/start/open-store.ts'
import type { Bench, Workshop } from '../bench.ts'
import { type Figure, plainFigure, ratioFigure } from '../figure.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import { type Console, consoleOn } from './set-up/console-on.ts'
import { fillConsole } from './set-up/fill-console.ts'
import { fillIndex } from './set-up/fill-index.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { StoreKind } from './set-up/lead-store.ts'

const many = Number(process.env.BENCH_LEADS ?? sized(1_000_000, 10_000))
const few = sized(many / 100, 1000)

/**
 * So many times each, in turn: of forty, each of a millisecond, the two slowest are the 95th percentile, and are the machine's.
 * Before them some that are not counted, as a console has run for a while.
 */
const rounds = sized(200, 1)
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

/**
 * What operators ask for: what fits many, few and none, and parts that fit many each and none together. Of what fits any
 * there are enough for a page in both stores: a line costs the same however many leads there are, and ten against fifty
 * would be a ratio of pages.
 */
export const questions: Readonly<Record<string, Question>> = {
  'all leads': leads({}),
  'a status': leads({ status: ['delivered'] }),
  'a rarer status': leads({ status: ['dead'] }),
  'several values': leads({ status: ['dead', 'rejected'], state: ['FL', 'CA'] }),
  'several values that never meet': leads({ status: ['dead', 'rejected'], state: ['NY', 'CA'] }),
  'many parts': leads({
    status: ['delivered'],
    area: ['business'],
    state: ['FL'],
    attempts: ['1'],
  }),
  'parts that never meet': leads({ error: ['503'], state: ['NY'] }),
  'many that never meet': leads({ status: ['rejected'], state: ['CA'], area: ['general'] }),
  'an affiliate': leads({ affiliate: ['affiliate-7'] }),
  'a last name': person('name-7'),
  nobody: person('email-0'),
  'a page further back': ({ browse, middle }) => browse({ after: middle }),
  'one lead': ({ view, middle }) => view(middle.id),
  'the next one in quarantine': ({ reviewQuarantine }) => reviewQuarantine(),
  'the audit': ({ readAudit }) => readAudit({}),
  'a rarer act in the audit': ({ readAudit }) => readAudit({ action: 'exported leads' }),
  'an act that its user never did': ({ readAudit }) =>
    readAudit({ action: 'revealed a lead', user: 'root' }),
  'an act that was never done this way': ({ readAudit }) =>
    readAudit({ action: 'retried a delivery', via: 'console' }),
  jobs: ({ listJobs }) => listJobs(),
}

/** Up to a bound that few leads do not reach: held to no ratio, but to the same milliseconds. */
const counts: Readonly<Record<string, Question>> = {
  'groups of errors': ({ groupErrors }) => groupErrors(),
}

/** Each list, filter, search and detail of the console, as its use-cases ask for them. */
export const finding = (kind: StoreKind): Bench => ({
  name: `finding-leads-${kind.id}`,
  title: `Finding among ${many.toLocaleString('en-US')} leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const open = async (count: number) => {
      const place = await makeStore()
      await fillStore(place, { delivered: count / 2, waiting: count / 2 })
      await fillConsole(place)
      await fillIndex(place)
      const store = await openStore(place.settings)
      workshop.atEnd(store.close)
      return consoleOn(store)
    }
    const large = await open(many)
    const small = await open(few)
    const figures: Figure[] = []
    const p95s: number[] = []
    for (const [name, question] of Object.entries(questions)) {
      const samples = await askBoth(question, { large, small }, workshop)
      const [ours, reference] = [percentile(samples.large, 95), percentile(samples.small, 95)]
      p95s.push(ours)
      figures.push(
        ratioFigure({
          ...{ name: `p95 of finding ${name}, ${kind.name}`, ours, reference, samples },
          against: `${few.toLocaleString('en-US')} leads`,
          unit: 'ms',
          limit: { atMost: 2 },
        }),
      )
    }
    const inMilliseconds = (name: string, value: number) =>
      plainFigure({ name: `${name}, ${kind.name}`, value, unit: 'ms', limit: { atMost: 100 } })
    figures.push(inMilliseconds('The slowest of these p95', Math.max(...p95s)))
    for (const [name, question] of Object.entries(counts)) {
      const samples = await askBoth(question, { large, small }, workshop)
      figures.push(inMilliseconds(`p95 of counting ${name}`, percentile(samples.large, 95)))
    }
    return figures
  },
})

type Both = Readonly<Record<'large' | 'small', Console>>

async function askBoth(question: Question, { large, small }: Both, { runs }: Workshop) {
  const samples = { large: [] as number[], small: [] as number[] }
  for (let warmUp = 0; warmUp < warmUps; warmUp++) {
    await question(large)
    await question(small)
  }
  for (let round = 0; round < rounds * runs; round++) {
    samples.large.push(await timed(() => question(large)))
    samples.small.push(await timed(() => question(small)))
  }
  return samples
}

/** In milliseconds. */
async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  await ask()
  return performance.now() - begunAt
}
