import { describe, expect, onTestFinished, test } from 'vitest'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { sqlitePlace, usePlace } from '#tests/store/store-places.ts'

describe('retention', () => {
  const place = usePlace(sqlitePlace)
  const dayMs = 24 * 60 * 60 * 1000
  const monthLater = () => exampleTime + 31 * dayMs

  async function startLater(variables: Record<string, string>) {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    // Without the pause, the product would deliver the open deliveries during the test.
    await store.breaker.pause({ reason: '', at: exampleTime })
    const settings = { DATA_DIR: place.settings().dataDir, ...variables }
    const product = await startInProcess(settings, undefined, monthLater)
    onTestFinished(product.stop)
    return { store, ids, product }
  }

  test('a worker erases at its start what is older than RETENTION_DAYS, and its metrics count it', async () => {
    const { store, ids, product } = await startLater({ RETENTION_DAYS: '30' })
    await expect
      .poll(() => product.logLines.find((line) => line.includes('retention erased')))
      .toContain('"leads":6')
    expect(await store.leadReader.find(ids.delivered, monthLater())).toMatchObject({
      lead: { erasedBy: 'retention' },
    })
    const metrics = await (await fetch(`${product.url}/metrics`)).text()
    expect(metrics).toContain('leads_erased{by="retention"} 6\n')
    expect(metrics).toContain('leads_erased{by="request"} 1\n')
    expect(metrics).toContain('delivery_backlog 2\n')
  })

  test.each<Record<string, string>>([{}, { RETENTION_DAYS: '' }, { RETENTION_DAYS: '32' }])(
    'with %o, the worker erases nothing',
    async (variables) => {
      const { store, product } = await startLater(variables)
      // The worker has sent all its start-up queries to the store before the metrics are answered.
      await fetch(`${product.url}/metrics`)
      expect((await store.leadReader.stats(monthLater())).erasedBy.retention).toBe(0)
    },
  )

  test('a web process erases nothing', async () => {
    const { store, product } = await startLater({ RETENTION_DAYS: '30', ROLE: 'web' })
    await fetch(`${product.url}/metrics`)
    expect((await store.leadReader.stats(monthLater())).erasedBy.retention).toBe(0)
  })
})
