import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import packageManifest from '../../../../package.json' with { type: 'json' }

async function startedProduct() {
  const product = await startInProcess()
  onTestFinished(product.stop)
  const ask = async (path: string) => {
    const reply = await fetch(product.url + path)
    return { status: reply.status, body: await reply.text(), headers: reply.headers }
  }
  return { product, ask }
}

test('a process is alive and ready from the start; while it drains, it is alive, but not ready', async () => {
  const { product, ask } = await startedProduct()
  const alive = await ask('/healthz')
  expect(alive.status).toBe(200)
  expect(JSON.parse(alive.body)).toEqual({
    status: 'alive',
    version: packageManifest.version,
    build: 'unbuilt',
  })
  expect(await ask('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' })
  product.drain()
  for (const path of ['/readyz', '/readyz?without=store']) {
    expect(await ask(path)).toMatchObject({ status: 503, body: '{"status":"draining"}' })
  }
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
})

test('a process is not ready while the store lacks a migration', async () => {
  const { product, ask } = await startedProduct()
  const rename = (from: string, to: string) =>
    runInStore(product.store, `alter table ${from} rename to ${to}`)
  await rename('kysely_migration', 'gone')
  await expect
    .poll(() => ask('/readyz'))
    .toMatchObject({
      status: 503,
      body: expect.stringContaining("Visitors can't submit enquiries: "),
    })
  expect(await ask('/readyz?without=store')).toMatchObject({ status: 200 })
  await rename('gone', 'kysely_migration')
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 200 })
})

test('a process with paused deliveries is ready to accept leads, and reports the pause', async () => {
  const { product, ask } = await startedProduct()
  const store = await openStore(product.store)
  onTestFinished(() => store.close())
  const at = Date.UTC(2026, 0, 2)
  await store.breaker.pause({ reason: 'new campaign', at })
  const { status, body } = await ask('/readyz')
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    status: 'ready',
    deliveries: expect.stringMatching(
      /^paused since 2026-01-02T00:00:00.000Z by an operator \(new campaign\)/,
    ),
  })
  expect((await ask('/metrics')).body).toContain('delivery_paused{by="operator"} 1\n')
  await store.breaker.resume({ reason: '', at })
  const trip = { reason: 'HTTP 403', since: at, at }
  await store.breaker.trip({ ...trip, cause: 'refused' })
  expect((await ask('/readyz')).body).toContain(
    'the distributor has accepted no lead (HTTP 403) since 2026-01-02T00:00:00.000Z',
  )
  expect((await ask('/metrics')).body).toContain('delivery_paused{by="refusal"} 1\n')
  await store.breaker.answered('untried')
  await store.breaker.trip({ ...trip, reason: 'HTTP 200', cause: 'outage' })
  expect((await ask('/readyz')).body).toContain(
    'the distributor sends unusable answers (HTTP 200) since 2026-01-02T00:00:00.000Z',
  )
  expect((await ask('/metrics')).body).toContain('delivery_outage 1\n')
})

test('monitors get no cookies', async () => {
  const { ask } = await startedProduct()
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await ask(path)).headers.getSetCookie()).toEqual([])
  }
})

test('metrics count leads and deliveries, as Prometheus text without personal data', async () => {
  const { product, ask } = await startedProduct()
  const visitor = await apiVisitor(product.url)
  const body = exampleLead()
  const key = newKey()
  await visitor.post('leads', body, key)
  await visitor.post('leads', body, key)
  await visitor.post('leads', body, newKey())
  await arrivals(product.sandboxUrl, body.lead.email)
  await expect
    .poll(async () => (await ask('/metrics')).body)
    .toContain('leads{status="delivered"} 1\n')
  const metrics = await ask('/metrics')
  expect(metrics.status).toBe(200)
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const line of [
    'store_up 1',
    `campus_enquiry_build_info{version="${packageManifest.version}",build="unbuilt"} 1`,
    // Counters of events that have not happened yet are 0. If a counter began with its first event, Prometheus would
    // see no increase.
    'leads_accepted_total{kind="quarantined"} 0',
    'leads_refused_total{reason="not-stored"} 0',
    'leads_quarantined_total{signal="too-fast"} 0',
    'requests_limited_total{what="lead"} 0',
    'delivery_attempts_total{outcome="rejected",reason="cap"} 0',
    'delivery_leads_refused_total 0',
    'third_party_calls_total{service="geocoding",outcome="refused-key"} 0',
    'http_responses_total{status="5xx"} 0',
    'leads_accepted_total{kind="new"} 1',
    'leads_accepted_total{kind="repeated"} 1',
    'leads_accepted_total{kind="duplicate"} 1',
    'leads{status="duplicate"} 1',
    'leads{status="dead"} 0',
    'delivery_oldest_pending_seconds 0',
    'delivery_attempts_total{outcome="delivered",reason="none"} 1',
    'delivery_answers_total{http_status="200"} 1',
    'delivery_backlog 0',
    'delivery_possible_duplicates 0',
    'delivery_rejected_by_cap 0',
    'delivery_paused{by="operator"} 0',
    'delivery_paused{by="refusal"} 0',
    'delivery_outage 0',
    // Repeated requests and duplicates are also written to disk.
    'leads_accept_duration_seconds_count 3',
    'delivery_attempt_duration_seconds_count 1',
    'delivery_duration_seconds_count 1',
  ]) {
    expect(metrics.body).toContain(`${line}\n`)
  }
  expect(metrics.body).toMatch(/^http_responses_total\{status="2xx"\} [1-9]/m)
  expect(metrics.body).toMatch(/^process_resident_memory_bytes [1-9]/m)
  // Every line but comments has a name, labels and a number. The event loop's mean delay is NaN until the first delay.
  for (const line of metrics.body.split('\n').filter((text) => text && !text.startsWith('#'))) {
    expect(line).toMatch(
      /^\w+(\{\w+="[\w.+ -]+"(,\w+="[\w.+ -]+")*\})? (\d+(\.\d+)?(e[+-]?\d+)?|Nan)$/,
    )
  }
})
