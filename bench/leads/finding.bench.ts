import { everyLead, type LeadFilter } from '../../src/domain/lead/lead-filter.ts'
import { openStore, type Store } from '../../src/server/store/open-store.ts'
import type { Bench, Workshop } from '../bench.ts'
import { type Figure, ratioFigure } from '../figure.ts'
import { percentile } from '../percentile.ts'
import { fillIndex } from './set-up/fill-index.ts'
import { fillStore } from './set-up/fill-store.ts'
import type { StoreKind } from './set-up/lead-store.ts'

const many = Number(process.env.BENCH_LEADS ?? 1_000_000)
const few = many / 100

/** So many times each, in turn. */
const rounds = 20

interface Question {
  readonly filter?: Partial<LeadFilter>
  readonly keys?: readonly string[]
}

/** What operators ask for: what fits many, few and none, and parts that fit many each and none together. */
const questions: Readonly<Record<string, Question>> = {
  'all leads': {},
  'a status': { filter: { status: ['delivered'] } },
  'a rare status': { filter: { status: ['dead'] } },
  'several values': { filter: { status: ['dead', 'rejected'], state: ['NY', 'CA'] } },
  'many parts': {
    filter: { status: ['delivered'], area: ['business'], state: ['NY'], program: [15] },
  },
  'parts that never meet': { filter: { error: ['503'], state: ['NY'] } },
  'many that never meet': { filter: { status: ['rejected'], state: ['CA'], area: ['general'] } },
  'an affiliate': { filter: { affiliate: ['affiliate-7'] } },
  'a last name': { keys: ['name-7'] },
  nobody: { keys: ['email-0'] },
}

/** Each list, filter and search of the console, with the lines that it shows, the count and how far behind it is. */
export const finding = (kind: StoreKind): Bench => ({
  name: `finding-leads-${kind.id}`,
  title: `Finding among ${many.toLocaleString('en-US')} leads, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const open = async (count: number) => {
      const place = await makeStore()
      await fillStore(place, { delivered: count / 2, waiting: count / 2 })
      await fillIndex(place)
      const store = await openStore(place.settings)
      workshop.atEnd(store.close)
      return store
    }
    const large = await open(many)
    const small = await open(few)
    const figures: Figure[] = []
    for (const [name, question] of Object.entries(questions)) {
      figures.push(
        await compare({ name: `${name}, ${kind.name}`, question, large, small }, workshop),
      )
    }
    return figures
  },
})

interface Comparison {
  readonly name: string
  readonly question: Question
  readonly large: Store
  readonly small: Store
}

async function compare({ name, question, large, small }: Comparison, { runs }: Workshop) {
  const samples = { large: [] as number[], small: [] as number[] }
  await ask(large, question)
  await ask(small, question)
  for (let round = 0; round < rounds * runs; round++) {
    samples.large.push(await ask(large, question))
    samples.small.push(await ask(small, question))
  }
  return ratioFigure({
    name: `p95 of finding ${name}`,
    ours: percentile(samples.large, 95),
    reference: percentile(samples.small, 95),
    against: `${few.toLocaleString('en-US')} leads`,
    unit: 'ms',
    limit: { atMost: 2 },
    samples,
  })
}

/** What a page asks of the store, in milliseconds. */
async function ask({ index, archive }: Store, { filter, keys }: Question): Promise<number> {
  const now = Date.now()
  const search = { filter: { ...everyLead, ...filter }, keys, now }
  const begunAt = performance.now()
  const [{ leads }] = await Promise.all([
    index.find({ ...search, take: 50, towards: 'older' }),
    index.count(search),
    index.behind(),
  ])
  const ids = leads.map(({ id }) => id)
  if (ids.length > 0) await archive.list({ ids, now, take: ids.length })
  return performance.now() - begunAt
}
