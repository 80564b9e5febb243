import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import { startHostileServer } from '#server/integrations/hostile-server.ts'
import { freePort } from '#tests/product/free-port.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { deliveryOf, eventually, isSettled, wasTried } from './deliveries.ts'
import { startDistributor, takes } from './distributor.ts'
import { figure } from './figure.ts'
import { passing, refusing, rejecting } from './misbehaviours.ts'
import { productEnv } from './product-env.ts'
import { startVisitors } from './visitors.ts'

describe.for(storePlaces)('$name', { concurrent: true }, ({ name, makePlace }) => {
  const counted = { leads: 0, delivered: 0, rejected: 0 }
  afterAll(() =>
    figure(`A distributor that misbehaves, ${name}`, {
      ...counted,
      lost: counted.leads - counted.delivered - counted.rejected,
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
        counted[delivery.settledAs as 'delivered' | 'rejected']++
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

  test.for(passing)('$what: tried again until the distributor is well', async (row, context) => {
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
  })

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

  test.for(rejecting)('$what: rejected, once', async ({ behaves }, context) => {
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

  test.for(refusing)(
    '$what: nobody is sent until a start with another address',
    async (row, context) => {
      const { settings, ...here } = await scene(context)
      const wrong = await here.distributor(row.behaves)
      const product = await here.product(wrong.url)
      const id = await thankedVisitor(product)
      const { attempts } = await eventually(settings, id, wasTried)
      expect(attempts).toMatchObject([{ outcome: 'refused', httpStatus: row.httpStatus }])
      const others: string[] = []
      // One after the other: were they sent, the first would be long before the last is thanked.
      for (let count = 0; count < 5; count++) others.push(await thankedVisitor(product))
      await product.stop()
      const right = await here.distributor()
      await here.product(right.url)
      for (const lead of [id, ...others]) {
        expect((await here.settled(lead)).settledAs).toBe('delivered')
      }
      expect(right.received.toSorted()).toEqual([id, ...others])
      expect(wrong.received).toEqual([id])
    },
  )

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
