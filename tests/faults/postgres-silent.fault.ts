import { setTimeout } from 'node:timers/promises'
import { inject, test } from 'vitest'
import { until } from '#tests/patience/until.ts'
import { type Silence, startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { placeAt, saysReady, startLeftAlone } from './set-ups.ts'
import { startVisitors, type Visitors } from './visitors.ts'

const minute = 60_000
const silences = times({ modest: 2, full: 60 })
/**
 * The time in milliseconds, from the silence or from working new connections, until the product has recovered. Only
 * runs without other tests check it strictly.
 */
const withinMs = times({ modest: 5 * minute, full: 15_000 })
/** Visitors repeat their enquiry until the product has recovered. */
const patience = 2000

const kinds: readonly Silence[] = ['both ways', 'answers', 'both ways, new connections too']

// A silent worker's leads must not wait for the end of the lease, which is longer than the test.
test.concurrent.for(kinds)(
  'the product recovers when the connection to PostgreSQL falls silent: %s',
  async (kind, context) => {
    const { expect, onTestFinished } = context
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    const line = await startFaultyLine(url)
    onTestFinished(line.close)
    const distributor = await startDistributor()
    onTestFinished(distributor.stop)
    const { processes, site } = await startLeftAlone(
      { makePlace: placeAt(line.url), roles: ['web', 'worker'] },
      distributor,
      context,
      { DELIVERY_LEASE: '1h' },
    )
    const first = await Promise.all(processes.map(({ serving }) => serving()))
    const direct = { dataDir: 'unused', databaseUrl: url }
    const random = seededRandom(`silent line, ${kind}`)
    const groups: Visitors[] = []
    let slowestMs = 0

    for (let silence = 0; silence < silences; silence++) {
      const visitors = startVisitors({ atOnce: 8, site, patience, rest: loadRests })
      groups.push(visitors)
      const areThanked = async (timeout: number) => {
        const before = visitors.acknowledged.size
        await until(() => visitors.acknowledged.size > before + 10, { timeout })
      }
      await areThanked(withinMs)
      await setTimeout(random(50, 500))
      line.fallSilent(kind)
      if (kind === 'both ways, new connections too') {
        await setTimeout(random(500, 8000))
        line.endSilence()
      }
      const since = performance.now()
      const left = () => withinMs - (performance.now() - since)
      await areThanked(left())
      await visitors.leave()
      await Promise.all(processes.map((process) => saysReady(process, 200)))
      await drained(direct, left())
      slowestMs = Math.max(slowestMs, performance.now() - since)
    }

    const all = {
      acknowledged: new Map(groups.flatMap(({ acknowledged }) => [...acknowledged])),
      contradicted: groups.flatMap(({ contradicted }) => contradicted),
    }
    const account = await accountFor(all, distributor, direct)
    figure(`The line to PostgreSQL falls silent, ${kind}`, {
      silences,
      ...account,
      turnedAway: groups.reduce((sum, { turnedAway }) => sum + turnedAway(), 0),
      slowestMs: Math.round(slowestMs),
      seed,
    })
    const ended = first.filter(({ process }) => (process?.exitCode ?? process?.signalCode) != null)
    expect(ended).toEqual([])
  },
)
