import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { until } from '#tests/patience/until.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import type { RunningProduct } from '#tests/product/start-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { placeAt, startLeftAlone, startSetUp } from './set-ups.ts'
import { startVisitors, type Visitors } from './visitors.ts'

const freezes = times({ modest: 1, full: 30 })

test('if a worker freezes in a transaction until its leases have ended, another takes over', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const { settings, site } = await startLeftAlone(
    { makePlace: placeAt(url), roles: ['web'] },
    distributor,
    { onTestFinished },
  )
  const startWorker = (name: string) => {
    const place = placeAt(`${url}?application_name=${name}`)
    return startSetUp(
      { makePlace: place, roles: ['worker'] },
      distributor,
      { onTestFinished },
      shortLeases,
    )
  }
  const names = ['first', 'second']
  const workers = await Promise.all(
    names.map(async (name) => {
      const [worker] = (await startWorker(name)).processes
      return { name, process: (await worker?.serving())?.process }
    }),
  )

  const groups: Visitors[] = []
  for (let frozen = 0; frozen < freezes; frozen++) {
    const victim = workers[frozen % workers.length]
    const visitors = startVisitors({ atOnce: 8, site })
    groups.push(visitors)
    await until(() => victim && isFrozenInATransaction(victim))
    await visitors.leave()
    await drained(settings)
    victim?.process?.kill('SIGCONT')
  }
  const all = {
    acknowledged: new Map(groups.flatMap(({ acknowledged }) => [...acknowledged])),
    contradicted: groups.flatMap(({ contradicted }) => contradicted),
  }
  const account = await accountFor(all, distributor, settings)
  figure('A worker process that stands still', { freezes, ...account })
  for (const { process } of workers) {
    expect(process).toMatchObject({ exitCode: null, signalCode: null })
  }

  /** Freezes the process, and continues it if it holds no row locks. */
  async function isFrozenInATransaction({ name, process }: Worker) {
    process?.kill('SIGSTOP')
    // By then the database has answered the statements that the process had sent.
    await setTimeout(200)
    const held = await askStore(
      settings,
      `select 1 from pg_stat_activity where application_name = '${name}'
      and state = 'idle in transaction' and backend_xid is not null`,
    )
    if (held.length > 0) return true
    process?.kill('SIGCONT')
    return false
  }
})

interface Worker {
  readonly name: string
  readonly process: RunningProduct['process'] | undefined
}
