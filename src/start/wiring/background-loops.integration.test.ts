import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { jobLeadsRetentionMs } from '#domain/job/job.ts'
import { makeLoopFailureLogs } from '#server/platform/observability/failure-log.ts'
import { until } from '#tests/patience/until.ts'
import { exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeBackgroundLoops } from './background-loops.ts'

describe.each(storePlaces)('background work on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('repeats no other task while it deletes the list of a large job', async () => {
    const store = await place.open()
    const { db } = store.database
    const leads = 1000
    await db
      .insertInto('jobs')
      .values({
        ...({ id: 'job', action: 'retry', query: '', is_of_search: 0, plan: '{}' } as const),
        ...({ operator_id: null, system_user: 'ada', phase: 'running', rate: 10 } as const),
        ...{ planned_at: exampleTime, started_at: exampleTime, ended_at: exampleTime },
        ...{ network: null, search_keys: null },
      })
      .execute()
    const positions = Array.from({ length: leads }, (_, index) => index + 1)
    const members = positions.map((position) => ({ job_id: 'job', position, lead_id: 'lead' }))
    await db.insertInto('job_members').values(members).execute()

    const statements: string[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const log = pino({ enabled: false })
    const loops = makeBackgroundLoops(
      {
        store: { ...store, database: { ...store.database, db: db.withPlugin(counting) } },
        clock: () => exampleTime + jobLeadsRetentionMs + 1,
        log,
        failureLogOf: makeLoopFailureLogs(log),
      },
      () => undefined,
    )
    onTestFinished(() => loops.stop())
    loops.start()
    const cleared = db.selectFrom('jobs').select('id').where('members_removed_at', 'is not', null)
    await until(async () => (await cleared.execute()).length > 0)
    const deletionsFrom = (table: string) =>
      statements.filter((text) => text.includes('DeleteQueryNode') && text.includes(`"${table}"`))
    expect(deletionsFrom('job_members').length).toBeGreaterThan(leads / 256)
    for (const table of ['operator_links', 'notifications', 'cap_uses']) {
      expect(deletionsFrom(table).length, table).toBe(1)
    }
  })
})
