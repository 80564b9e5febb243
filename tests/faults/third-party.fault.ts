import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { freePort } from '#tests/product/free-port.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { startHostileServer } from '#tests/third-parties/hostile-server.ts'
import { drained } from './account.ts'
import { deliveryOf, eventually, wasTried } from './deliveries.ts'
import { type Distributor, startDistributor, takes } from './distributor.ts'
import { isFull } from './extent.ts'
import { figure } from './figure.ts'
import {
  forStore,
  type Misbehaviour,
  passing,
  passingInTime,
  refusing,
  rejecting,
  soonOver,
} from './misbehaviours.ts'
import { makeScenes, type Scene } from './scenes.ts'

describe.for(storePlaces)('$name', { concurrent: true }, ({ name, makePlace }) => {
  const isFirstStore = makePlace === storePlaces[0]?.makePlace
  const thoseHere = (rows: readonly Misbehaviour[]) => forStore(rows, isFirstStore)
  const { scene, thankedVisitor, counts } = makeScenes(makePlace)
  afterAll(() => figure(`A distributor that misbehaves, ${name}`, counts()))

  /** The tests run one after the other: the leads of each are settled before the distributor changes. */
  describe('one fault after the other', { concurrent: false }, () => {
    const { here, product, distributor } = useProduct()

    test.for(thoseHere(passing))('$what: the worker retries until the distributor works', (row) =>
      expectPassing(row, here(), product(), distributor()),
    )

    test('429 with a date: the worker calls again only after the date', async () => {
      let until = Number.POSITIVE_INFINITY
      distributor().behave((request, response) => {
        if (Date.now() >= until) return takes(request, response)
        until = Math.min(until, Math.ceil(Date.now() / 1000) * 1000 + 2000)
        response.writeHead(429, { 'retry-after': new Date(until).toUTCString() }).end()
      })
      const id = await thankedVisitor(product())
      const { settledAs, attempts } = await here().settled(id)
      expect(settledAs).toBe('delivered')
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['busy', 'delivered'])
    })

    test('302: the worker doesn’t follow the redirect, and tries again', async (context) => {
      const elsewhere = await startDistributor()
      context.onTestFinished(elsewhere.stop)
      distributor().behave((_, response) =>
        response.writeHead(302, { location: elsewhere.url }).end(),
      )
      const id = await thankedVisitor(product())
      const { attempts } = await eventually(here().settings, id, wasTried)
      expect(attempts[0]).toMatchObject({ outcome: 'broken', httpStatus: 302 })
      distributor().behave(takes)
      expect((await here().settled(id)).settledAs).toBe('delivered')
      expect(elsewhere.received).toEqual([])
    })

    test.for(thoseHere(rejecting))(
      '$what: the distributor gets the lead once, and the lead is rejected',
      async ({ behaves }) => {
        const { settings, settled } = here()
        const before = distributor().received.length
        distributor().behave(behaves)
        const id = await thankedVisitor(product())
        const { settledAs, attempts } = await settled(id)
        expect(settledAs).toBe('rejected')
        expect(attempts).toMatchObject([{ outcome: 'rejected', httpStatus: 200 }])
        distributor().behave(takes)
        const next = await thankedVisitor(product())
        await settled(next)
        expect(distributor().received.slice(before)).toEqual([id, next])
        expect(await deliveryOf(settings, id)).toMatchObject({ settledAs: 'rejected', attempts })
      },
    )
  })

  if (isFull || isFirstStore) {
    describe('with a DELIVERY_TIMEOUT of 3 s', { concurrent: false }, () => {
      const { here, product, distributor } = useProduct(soonOver)

      test.for(thoseHere(passingInTime))(
        '$what: the worker retries until the distributor works',
        (row) => expectPassing(row, here(), product(), distributor()),
      )
    })
  }

  test.for(thoseHere(refusing))(
    '$what for all leads: no attempt counts, and the worker delivers all after a restart with another address',
    async (row, context) => {
      const { settings, ...here } = await scene(context)
      const wrong = await here.distributor(row.behaves)
      const product = await here.product(wrong.url)
      const leads: string[] = []
      for (let count = 0; count < 4; count++) leads.push(await thankedVisitor(product))
      // Each lead is tried once, and none is retried within minutes.
      for (const id of leads) {
        const { attempts } = await eventually(settings, id, wasTried)
        expect(attempts).toMatchObject([{ outcome: 'refused', httpStatus: row.httpStatus }])
      }
      expect(product.logLines.join()).toContain(
        'deliveries wait: the distributor has accepted no lead',
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
    { what: 'one forbidden lead of three', forbidden: [0], leads: 3 },
    {
      what: 'eleven forbidden leads of twelve',
      forbidden: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11],
      leads: 12,
    },
  ])('$what: the worker delivers the other leads', async (row, context) => {
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
    // One delivery at a time, so that no good lead is being delivered when the first is refused.
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
    // Later leads are delivered at once, and the refused ones end by their own schedule without an operator.
    for (const id of forbidden) await eventually(settings, id, wasTried)
    expect((await here.settled(await thankedVisitor(product))).settledAs).toBe('delivered')
    for (const id of forbidden) {
      const { settledAs, attempts } = await here.settled(id)
      expect(settledAs).toBe('dead')
      expect(attempts.every(({ outcome }) => outcome === 'refused')).toBe(true)
    }
    expect(product.logLines.join()).toContain('refuses these leads and accepts others')
    expect((await store.breaker.read()).trip).toBeNull()
  })

  test('with a wrong address, the distributor is unreachable; after a correction, it gets the lead', async (context) => {
    const { settings, ...here } = await scene(context)
    const port = await freePort()
    const plain = await here.distributor()
    const untrusted = await here.distributor(takes, { protocol: 'https' })
    const nobody = { what: 'a closed port', url: `http://127.0.0.1:${port}/incoming/leads` }
    const wrong = [
      { what: 'an unknown host name', url: 'http://distributor.invalid/incoming/leads' },
      { what: 'https to a server without TLS', url: plain.url.replace('http:', 'https:') },
      { what: 'an untrusted certificate', url: untrusted.url },
    ]
    const leads: string[] = []
    for (const { what, url } of isFull || isFirstStore ? [...wrong, nobody] : [nobody]) {
      const product = await here.product(url)
      const id = await thankedVisitor(product)
      leads.push(id)
      const { attempts } = await eventually(settings, id, wasTried)
      expect(attempts[0]?.outcome, what).toBe('unreachable')
      if (url !== nobody.url) await product.stop()
    }
    const right = await here.distributor(takes, { port })
    for (const id of leads) expect((await here.settled(id)).settledAs).toBe('delivered')
    expect(right.received.toSorted()).toEqual(leads)
    expect([...plain.received, ...untrusted.received]).toEqual([])
  })

  if (isFull || isFirstStore) {
    test('connection reset before the lead arrives: the outcome is unknown', async (context) => {
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
  }

  /** Starts a product and a distributor before the tests of a `describe`. */
  function useProduct(variables?: Readonly<Record<string, string>>) {
    let here: Scene
    let distributor: Distributor
    let product: Awaited<ReturnType<Scene['product']>>
    beforeAll(async () => {
      const ends: (() => unknown)[] = []
      here = await scene({ onTestFinished: (end) => ends.unshift(end as () => unknown) })
      distributor = await here.distributor()
      product = await here.product(distributor.url, variables)
      return async () => {
        for (const end of ends) await end()
      }
    })
    // A failed test must leave nothing to the next one.
    afterEach(async () => {
      distributor.behave(takes)
      await drained(here.settings)
    })
    return { here: () => here, product: () => product, distributor: () => distributor }
  }

  async function expectPassing(
    row: Misbehaviour,
    { settings, settled }: Scene,
    product: { readonly url: string },
    distributor: Distributor,
  ) {
    const before = distributor.received.length
    distributor.behave(row.behaves)
    const id = await thankedVisitor(product)
    const tried = await eventually(settings, id, wasTried)
    expect(tried.settledAs).toBeNull()
    expect(tried.attempts[0]).toMatchObject({
      outcome: row.outcome,
      httpStatus: row.httpStatus ?? null,
    })
    distributor.behave(takes)
    const { settledAs, attempts } = await settled(id)
    expect(settledAs).toBe('delivered')
    expect(attempts.at(-1)?.outcome).toBe('delivered')
    expect(distributor.received.slice(before)).toEqual(attempts.map(() => id))
    const [first, second] = attempts
    if (row.retryAfterMs !== undefined) {
      expect(second?.startedAt).toBeGreaterThanOrEqual(Number(first?.endedAt) + row.retryAfterMs)
    }
  }
})
