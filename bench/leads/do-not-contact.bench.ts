import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { openStore, type Store } from '../../src/server/store/open-store.ts'
import { exampleArrival } from '../../tests/store/example-arrival.ts'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { percentile } from '../percentile.ts'
import { sized } from '../sized.ts'
import type { LeadStore, StoreKind } from './set-up/lead-store.ts'

const entries = sized(1_000_000, 1000)
const perSecond = 60
/** Rounds take turns, so that a machine that is slow for a while affects both stores. */
const rounds = sized(10, 1)
const leadsInARound = sized(120, 6)

/**
 * Measures what the do-not-contact list costs an enquiry: leads arrive at a steady rate at a store whose list has a
 * million entries, and at a store whose list is empty.
 */
export const doNotContact = (kind: StoreKind): Bench => ({
  name: `do-not-contact-${kind.id}`,
  title: `Accepting leads with ${entries.toLocaleString('en-US')} people not to contact, ${kind.name}`,
  async measure(workshop) {
    const makeStore = await kind.prepare(workshop)
    const open = async ({ settings }: LeadStore) => {
      const store = await openStore(settings)
      workshop.atEnd(store.close)
      return store
    }
    const [large, empty] = [await open(await makeStore()), await open(await makeStore())]
    await fillList(large)
    const samples = { large: [] as number[][], empty: [] as number[][] }
    for (let round = 0; round <= rounds * workshop.runs; round++) {
      const measured = { large: await acceptLeads(large), empty: await acceptLeads(empty) }
      // The first round does not count, because Node still compiles the code.
      if (round === 0 && rounds > 1) continue
      samples.large.push(measured.large)
      samples.empty.push(measured.empty)
    }
    const figureOf = (name: string, atMost: number, read: (ms: readonly number[]) => number) => {
      const [ours, reference] = [samples.large.map(read), samples.empty.map(read)]
      return ratioFigure({
        name: `${name} of accepting ${perSecond} leads/s with ${entries.toLocaleString('en-US')} people not to contact, ${kind.name}`,
        ours: median(ours),
        reference: median(reference),
        ratio: median(ours.map((ms, round) => ms / (reference[round] ?? Number.NaN))),
        against: 'the same store with an empty list',
        unit: 'ms',
        limit: { atMost },
        samples: { ours, reference },
      })
    }
    return [
      figureOf('median', 1.15, (ms) => percentile(ms, 50)),
      figureOf('p95', 1.3, (ms) => percentile(ms, 95)),
    ]
  },
})

/** Fills the list with keys of the same form as real ones. */
async function fillList({ database: { db } }: Store): Promise<void> {
  const rowsAtOnce = 5000
  for (let from = 0; from < entries; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, entries - from) }, (_, index) => ({
      key: createHash('sha256')
        .update(`${from + index}`)
        .digest('base64url')
        .slice(0, 22),
      listed_at: from,
    }))
    await db.insertInto('do_not_contact').values(rows).execute()
  }
}

/** Resolves with the milliseconds of each lead, which arrive at a steady rate however long each takes. */
async function acceptLeads({ intake }: Store): Promise<number[]> {
  const accepted: Promise<number>[] = []
  for (let lead = 0; lead < leadsInARound; lead++) {
    accepted.push(timeOf(() => intake.accept(exampleArrival({ receivedAt: Date.now() }))))
    await setTimeout(1000 / perSecond)
  }
  return Promise.all(accepted)
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  await act()
  return performance.now() - begunAt
}
