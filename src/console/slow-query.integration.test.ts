import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { postgresPlace, type StorePlace, sqlitePlace } from '#tests/store/store-places.ts'

/** Replaces the table of saved views, which only the Leads page reads, with a query that takes minutes. */
const viewOf = (isShared: string) =>
  `select 'x' as id, 'x' as operator_id, '' as name, '' as query, ${isShared} as is_shared, 0 as created_at`
const minutes = {
  SQLite: `with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < 1e9)
    ${viewOf('n')} from numbers`,
  PostgreSQL: `${viewOf('length(pause::text)')} from pg_sleep(300) as pause`,
}

describe.each([
  { name: 'SQLite' as const, makePlace: sqlitePlace },
  { name: 'PostgreSQL' as const, makePlace: postgresPlace },
])('a console query that takes minutes on $name', ({ name, makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let admin: SignedIn
  beforeAll(async () => {
    place = await makePlace()
    const { dataDir, databaseUrl } = place.settings
    product = await startInProcess(
      databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl },
    )
    admin = await signIn(product.consoleLink)
  })
  afterAll(async () => {
    await product.stop()
    await place.remove()
  })

  test('is stopped after 5 s with advice; readiness, an enquiry, its delivery and another page go on', async () => {
    expect((await admin.get('/leads')).status).toBe(200)
    await runInStore(
      product.store,
      `alter table saved_views rename to saved_views_kept; create view saved_views as ${minutes[name]}`,
    )
    const begunAt = performance.now()
    let isStopped = false
    const slow = admin.get('/leads').finally(() => {
      isStopped = true
    })
    const enquiry = exampleLead()
    const visitor = await apiVisitor(product.url)
    const others = async () => {
      expect((await visitor.post('leads', enquiry, newKey())).status).toBe(201)
      await arrivals(product.sandboxUrl, enquiry.lead.email)
      for (const path of ['/readyz', '/jobs']) expect((await admin.get(path)).status).toBe(200)
      expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
    }
    await others()
    expect(isStopped).toBe(false)
    const reply = await slow
    expect(performance.now() - begunAt).toBeGreaterThan(4900)
    expect(reply.status).toBe(503)
    expect(await reply.text()).toContain('Narrow the filter')

    await runInStore(
      product.store,
      'drop view saved_views; alter table saved_views_kept rename to saved_views',
    )
    expect((await admin.get('/leads')).status).toBe(200)
  })
})
