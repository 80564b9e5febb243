import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import { makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { makeDeliveryBacklog, makeDeliveryRollups } from '#server/delivery/delivery-counts.ts'
import { makeDeliveryQueue } from '#server/delivery/delivery-queue.ts'
import { eraseExpiredLeads, makeExpiredLeadEraser } from '#server/leads/erase-expired-leads.ts'
import { makePersonEraser } from '#server/leads/erase-person.ts'
import { countMatchingLeads, findLeads } from '#server/leads/find-leads.ts'
import { readKnownOrigins } from '#server/leads/lead-origins.ts'
import { makeAdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import { deleteExpiredRows } from '#server/store/expired-rows.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { sqlitePlace, usePlace } from '#tests/store/store-places.ts'
import type { RunTask } from './lead-database.ts'
import { makeNodeSqliteDialect } from './sqlite/sqlite-dialect.ts'
import type { StoreTables } from './tables/store-tables.ts'

const now = exampleTime
const minute = 60_000

type Parts = ReturnType<typeof partsOn> & { readonly deadId: string }

function partsOn(db: Kysely<StoreTables>) {
  const database = {
    db,
    longQueryDb: db,
    run: ((work, argument) => work.run(db, argument)) as RunTask,
    wipe: async () => 'wiped' as const,
  }
  return {
    queue: makeDeliveryQueue(database),
    breaker: makeBreakerStore(db),
    backlog: makeDeliveryBacklog(db),
    rollups: makeDeliveryRollups(db),
    retention: makeExpiredLeadEraser(database),
    erasure: makePersonEraser(database),
    db,
  }
}

const growing = /^SCAN (leads|lead_index|consents|enquirers|deliveries|attempts)\b(?!.* USING )/

describe('a scheduled job or a filter', () => {
  const place = usePlace(sqlitePlace)

  /** Runs a job on a store with leads in every state, and returns SQLite's query plan for each statement. */
  async function plansOf(job: (parts: Parts) => Promise<unknown>): Promise<readonly string[]> {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    for (const phone of ['9415550101', '9415550102']) {
      await store.intake.accept(exampleArrival({ phone, receivedAt: now - minute }))
    }
    const file = new DatabaseSync(join(place.settings().dataDir, 'leads.sqlite'))
    const statements = new Set<string>()
    const db = new Kysely<StoreTables>({
      dialect: makeNodeSqliteDialect(file),
      log: ({ query }) => {
        statements.add(query.sql)
      },
    })
    onTestFinished(() => db.destroy())
    await job({ ...partsOn(db), deadId: ids.dead })
    const data = [...statements].filter((sql) =>
      /^\s*(select|insert|update|delete|with)\b/i.test(sql),
    )
    expect(data).not.toEqual([])
    return data.flatMap((sql) =>
      file
        .prepare(`explain query plan ${sql}`)
        .all(...Array(sql.split('?').length - 1).fill(null))
        .map(({ detail }) => `${detail}: ${sql}`),
    )
  }

  test.each<[string, (parts: Parts) => Promise<unknown>]>([
    [
      'retention',
      async ({ retention }) => {
        const limits = { leadsBefore: now, consentsBefore: now }
        const order = { limits, now, throttle: makeAdaptiveThrottle() }
        await eraseExpiredLeads(retention, order, {
          pause: async () => {},
          isStopping: () => false,
        })
      },
    ],
    [
      'delivery',
      async ({ queue, breaker }) => {
        const claimed = await queue.claimDue({ now, leaseUntil: now + minute, limit: 5 })
        await queue.giveBack(claimed)
        const [delivery] = await queue.claimDue({ now, leaseUntil: now + minute, limit: 1 })
        if (delivery === undefined) throw new Error('nothing is due')
        await queue.record({
          id: '0',
          deliveryId: delivery.id,
          lease: delivery.lease,
          startedAt: now,
          durationMs: 5,
          outcome: { name: 'rejected', httpStatus: 200 },
          next: { settledAs: 'rejected', at: now + 5 },
        })
        await breaker.read()
      },
    ],
    [
      'the breaker',
      async ({ queue, breaker }) => {
        await breaker.workerStarted(now)
        const order = { cause: 'outage', reason: '', since: now - minute, at: now } as const
        await breaker.trip(order)
        await queue.claimProbe({ now: now + minute, leaseUntil: now + 2 * minute })
        await breaker.answered('untried')
      },
    ],
    [
      'the sample of the backlog, and the deletion of expired rows',
      async ({ db, backlog }) => {
        await backlog.read(now)
        await deleteExpiredRows(db, now)
      },
    ],
    ['suggestions of a filter', ({ db }) => readKnownOrigins(db)],
    ['an erasure by id', ({ erasure, deadId }) => erasure.erase({ leadId: deadId }, now)],
  ])('%s reads no table that grows from end to end', async (_, job) => {
    expect((await plansOf(job)).filter((plan) => growing.test(plan))).toEqual([])
  })

  test.each(['affiliate', 'source', 'campaign'])('%s reads only its leads', async (name) => {
    const plans = await plansOf(async ({ db }) => {
      const filter = { ...emptyFilter, [name]: ['Spring SALE'] }
      const search = { filter, keys: undefined, now, hidesPersonalOrigins: true }
      await findLeads(db, { ...search, take: 50, towards: 'older' })
      await countMatchingLeads(db, search)
    })
    const reads = plans.filter((plan) => plan.includes(' USING '))
    const ofIndex = `SEARCH lead_index USING INDEX lead_index_${name}_key (${name}_key=?)`
    expect(reads).toEqual([expect.stringContaining(ofIndex), expect.stringContaining(ofIndex)])
  })
})
