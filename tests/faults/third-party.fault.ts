import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { freePort } from '#tests/product/free-port.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { startHostileServer } from '#tests/third-parties/hostile-server.ts'
import { deliveryOf, eventually, isSettled, wasTried } from './deliveries.ts'
import { startDistributor, takes } from './distributor.ts'
import { figure } from './figure.ts'
import { forStore, type Misbehaviour, passing, refusing, rejecting } from './misbehaviours.ts'
import { productEnv } from './product-env.ts'
import { startVisitors } from './visitors.ts'

describe.for(storePlaces)('$name', { concurrent: true }, ({ name, makePlace }) => {
  const thoseHere = (rows: readonly Misbehaviour[]) =>
    forStore(rows, makePlace === storePlaces[0]?.makePlace)
  const counted = { leads: 0, delivered: 0, rejected: 0, dead: 0 }
  afterAll(() =>
    figure(`A distributor that misbehaves, ${name}`, {
      ...counted,
      lost: counted.leads - counted.delivered - counted.rejected - counted.dead,
    }),
  )

  /** A store, and what is needed to let a product run on it and a visitor be thanked. */
  async function scene({ onTestFinished }: TestContext) {
    const place = await makePlace()
    onTestFinished(place.remove)
    const { settings } = place
    return {
      settings,
      distributor: async (...given: Parameters<typeof startDistributor>) => {
        const distributor = await startDistributor(...given)
        onTestFinished(distributor.stop)
        return distributor
      },
      product: async (url: string, more?: Readonly<Record<string, string>>) => {
        const variables = productEnv(settings, { url }, more)
        const product = await startInProcess(variables)
        let isStopped = false
        const stop = async () => {
          if (!isStopped) await product.stop()
          isStopped = true
        }
        onTestFinished(stop)
        return { ...product, stop }
      },
      settled: async (leadId: string) => {
        const delivery = await eventually(settings, leadId, isSettled)
        counted[delivery.settledAs as 'delivered' | 'rejected' | 'dead']++
        return delivery
      },
    }
  }

  async function thankedVisitor({ url }: { readonly url: string }): Promise<string> {
    const visitors = startVisitors({ atOnce: 1, enquiries: 1, site: async () => url })
    await visitors.gone
    const [id] = visitors.acknowledged.values()
    if (id === undefined) throw new Error('The visitor was not thanked.')
    counted.leads++
    return id
  }

  test.for(thoseHere(passing))(
    '$what: tried again until the distributor is well',
    async (row, context) => {
      const { settings, ...here } = await scene(context)
      const distributor = await here.distributor(row.behaves)
      const product = await here.product(distributor.url, row.variables)
      const id = await thankedVisitor(product)
      const tried = await eventually(settings, id, wasTried)
      expect(tried.settledAs).toBeNull()
      expect(tried.attempts[0]).toMatchObject({
        outcome: row.outcome,
        httpStatus: row.httpStatus ?? null,
      })
      distributor.behave(takes)
      const { settledAs, attempts } = await here.settled(id)
      expect(settledAs).toBe('delivered')
      expect(attempts.at(-1)?.outcome).toBe('delivered')
      expect(distributor.received).toEqual(attempts.map(() => id))
      const [first, second] = attempts
      if (row.retryAfterMs !== undefined) {
        expect(second?.startedAt).toBeGreaterThanOrEqual(Number(first?.endedAt) + row.retryAfterMs)
      }
    },
  )

  test('429 until a date: not called before', async (context) => {
    const { settings, ...here } = await scene(context)
    let until = Number.POSITIVE_INFINITY
    const distributor = await here.distributor((request, response) => {
      if (Date.now() >= until) return takes(request, response)
      until = Math.min(until, Math.ceil(Date.now() / 1000) * 1000 + 2000)
      response.writeHead(429, { 'retry-after': new Date(until).toUTCString() }).end()
    })
    const id = await thankedVisitor(await here.product(distributor.url))
    const { settledAs, attempts } = await here.settled(id)
    expect(settledAs).toBe('delivered')
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['busy', 'delivered'])
  })

  test('302: not followed, tried again', async (context) => {
    const { settings, ...here } = await scene(context)
    const elsewhere = await here.distributor()
    const distributor = await here.distributor((_, response) =>
      response.writeHead(302, { location: elsewhere.url }).end(),
    )
    const id = await thankedVisitor(await here.product(distributor.url))
    const { attempts } = await eventually(settings, id, wasTried)
    expect(attempts[0]).toMatchObject({ outcome: 'broken', httpStatus: 302 })
    distributor.behave(takes)
    expect((await here.settled(id)).settledAs).toBe('delivered')
    expect(elsewhere.received).toEqual([])
  })

  test.for(thoseHere(rejecting))('$what: rejected, once', async ({ behaves }, context) => {
    const { settings, ...here } = await scene(context)
    const distributor = await here.distributor(behaves)
    const product = await here.product(distributor.url)
    const id = await thankedVisitor(product)
    const { settledAs, attempts } = await here.settled(id)
    expect(settledAs).toBe('rejected')
    expect(attempts).toMatchObject([{ outcome: 'rejected', httpStatus: 200 }])
    distributor.behave(takes)
    const next = await thankedVisitor(product)
    await here.settled(next)
    expect(distributor.received).toEqual([id, next])
    expect(await deliveryOf(settings, id)).toMatchObject({ settledAs: 'rejected', attempts })
  })

  test.for(thoseHere(refusing))(
    '$what for all: a few are tried, none spends a try, and all are delivered at a start with another address',
    async (row, context) => {
      const { settings, ...here } = await scene(context)
      const wrong = await here.distributor(row.behaves)
      const product = await here.product(wrong.url)
      const leads: string[] = []
      for (let count = 0; count < 4; count++) leads.push(await thankedVisitor(product))
      // Each of them is asked about once, and nobody again for minutes.
      for (const id of leads) {
        const { attempts } = await eventually(settings, id, wasTried)
        expect(attempts).toMatchObject([{ outcome: 'refused', httpStatus: row.httpStatus }])
      }
      expect(product.logLines.join()).toContain(
        'deliveries wait: the distributor has taken no lead',
      )
      await product.stop()
      const right = await here.distributor()
      await here.product(right.url)
      for (const id of leads) expect((await here.settled(id)).settledAs).toBe('delivered')
      expect(right.received.toSorted()).toEqual(leads)
      expect(wrong.received.toSorted()).toEqual(leads)
    },
  )

  test.for([
    { what: 'one forbidden lead', forbidden: [0], leads: 3 },
    { what: 'eleven around one', forbidden: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11], leads: 12 },
  ])('$what: refused alone, and the others are delivered', async (row, context) => {
    const { settings, ...here } = await scene(context)
    const forbidden = new Set<string>()
    const distributor = await here.distributor((request, response) =>
      forbidden.has(String(request.headers['idempotency-key']))
        ? response.writeHead(403).end('Forbidden')
        : takes(request, response),
    )
    const store = await openStore(settings)
    context.onTestFinished(() => store.close())
    await store.migrate()
    await store.breaker.pause({ reason: 'until all are there', at: Date.now() })
    // One at a time, so that no good lead is under way when the first is refused.
    const product = await here.product(distributor.url, {
      DELIVERY_CONCURRENCY: '1',
      DELIVERY_RETRY_SCHEDULE: '500ms,500ms',
    })
    const leads: string[] = []
    while (leads.length < row.leads) leads.push(await thankedVisitor(product))
    for (const place of row.forbidden) forbidden.add(leads[place] ?? '')
    await store.breaker.resume({ reason: '', at: Date.now() })
    const good = leads.filter((id) => !forbidden.has(id))
    for (const id of good) expect((await here.settled(id)).settledAs).toBe('delivered')
    // Whoever comes later passes at once, and they end by their own schedule, with nobody's help.
    for (const id of forbidden) await eventually(settings, id, wasTried)
    expect((await here.settled(await thankedVisitor(product))).settledAs).toBe('delivered')
    for (const id of forbidden) {
      const { settledAs, attempts } = await here.settled(id)
      expect(settledAs).toBe('dead')
      expect(attempts.every(({ outcome }) => outcome === 'refused')).toBe(true)
    }
    expect(product.logLines.join()).toContain('refuses these leads and takes others')
    expect((await store.breaker.read()).trip).toBeNull()
  })

  test('nobody listens: unreachable, and delivered once somebody does', async (context) => {
    const { settings, ...here } = await scene(context)
    const port = await freePort()
    const id = await thankedVisitor(await here.product(`http://127.0.0.1:${port}/incoming/leads`))
    const { attempts } = await eventually(settings, id, wasTried)
    expect(attempts[0]?.outcome).toBe('unreachable')
    const distributor = await here.distributor(takes, { port })
    expect((await here.settled(id)).settledAs).toBe('delivered')
    expect(distributor.received).toEqual([id])
  })

  test('reset before the lead is there: unknown, as nobody can say that', async (context) => {
    const { settings, ...here } = await scene(context)
    const port = await freePort()
    const resets = await startHostileServer((socket) => socket.resetAndDestroy(), port)
    context.onTestFinished(resets.stop)
    const id = await thankedVisitor(await here.product(resets.url))
    const { attempts } = await eventually(settings, id, wasTried)
    expect(attempts[0]?.outcome).toBe('unknown')
    await resets.stop()
    const distributor = await here.distributor(takes, { port })
    expect((await here.settled(id)).settledAs).toBe('delivered')
    expect(distributor.received).toEqual([id])
  })

  test.for<{ what: string; address: (plain: string, tls: string) => string }>([
    {
      what: 'a name that no DNS knows',
      address: () => 'http://distributor.invalid/incoming/leads',
    },
    { what: 'TLS where none is spoken', address: (plain) => plain.replace('http:', 'https:') },
    { what: 'a certificate that nobody vouches for', address: (_, tls) => tls },
  ])(
    '$what: unreachable, and delivered once the address is right',
    async ({ address }, context) => {
      const { settings, ...here } = await scene(context)
      const right = await here.distributor()
      const untrusted = await here.distributor(takes, { protocol: 'https' })
      const product = await here.product(address(right.url, untrusted.url))
      const id = await thankedVisitor(product)
      const { attempts } = await eventually(settings, id, wasTried)
      expect(attempts[0]?.outcome).toBe('unreachable')
      await product.stop()
      await here.product(right.url)
      expect((await here.settled(id)).settledAs).toBe('delivered')
      expect(right.received).toEqual([id])
      expect(untrusted.received).toEqual([])
    },
  )
})
