import { createInterface } from 'node:readline/promises'
import { openStore } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime } from './example-arrival.ts'

/** One of several processes on one store: prints `loaded`, waits for a line, and runs its argument. */
const [verb, settings] = process.argv.slice(2)

const verbs: Record<string, (store: Awaited<ReturnType<typeof openStore>>) => Promise<unknown>> = {
  migrate: async (store) => {
    await store.migrate()
    await store.ready()
  },
  /** Accepts ten equal enquiries, each with a new key. */
  accept: (store) =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        store.intake.accept(exampleArrival({ email: 'same@example.com' })),
      ),
    ),
  /** Claims a few deliveries at a time until none is due. */
  claim: async (store) => {
    const ids: string[] = []
    for (;;) {
      const leaseUntil = exampleTime + 60_000
      const claimed = await store.queue.claimDue({ now: exampleTime, leaseUntil, limit: 3 })
      if (claimed.length === 0) return ids
      ids.push(...claimed.map(({ id }) => id))
    }
  },
}

process.stdout.write('loaded\n')
const input = createInterface({ input: process.stdin })
await new Promise((resolve) => input.once('line', resolve))
input.close()
const store = await openStore(JSON.parse(settings ?? ''))
process.stdout.write(JSON.stringify((await verbs[verb ?? '']?.(store)) ?? null))
await store.close()
