import { describe, expect, test } from 'vitest'
import type { Hold } from '#domain/delivery/hold.ts'
import { exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'

const minute = 60_000
const grace = { kind: 'command line', user: 'grace' } as const
const orderAt = (at: number, reason: string) => ({ reason, at, by: grace })
const tripOf = (since: number) =>
  ({ cause: 'outage', reason: 'HTTP 503', since, at: since }) as const

const said = ({ kind, reason, since, until, isOpen, begunBy, endedBy }: Hold) => [
  kind,
  reason,
  since,
  until,
  isOpen,
  begunBy,
  endedBy,
]

describe.each(storePlaces)('what held deliveries back, on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a pause, a new reason and its end are recorded with operator and reason', async () => {
    const { breaker, holds } = await place.open()
    await breaker.pause(orderAt(now, 'moves house'))
    await breaker.pause(orderAt(now + minute, 'and tomorrow'))
    await breaker.resume({ ...orderAt(now + 2 * minute, 'moved'), by: undefined })
    const list = await holds.list(10)
    expect(list.map(said)).toEqual([
      ['pause', 'and tomorrow', now + minute, now + 2 * minute, false, 'grace', null],
      ['pause', 'moves house', now, now + minute, false, 'grace', 'grace'],
    ])
    expect(list[0]?.endReason).toBe('moved')
  })

  test('a trip ends with an answer, a pause or by an operator', async () => {
    const { breaker, holds } = await place.open()
    await breaker.trip(tripOf(now - minute))
    await breaker.pause(orderAt(now + minute, 'to look at it'))
    expect((await holds.list(10)).map(said)).toEqual([
      ['pause', 'to look at it', now + minute, null, true, 'grace', null],
      ['outage', 'HTTP 503', now - minute, now + minute, false, null, 'grace'],
    ])
    await breaker.resume(orderAt(now + 2 * minute, ''))
    await breaker.trip(tripOf(now + 3 * minute))
    await breaker.answered('repeat', now + 5 * minute)
    expect((await holds.list(1)).map(said)).toEqual([
      ['outage', 'HTTP 503', now + 3 * minute, now + 5 * minute, false, null, null],
    ])
  })

  test('finds those that lie in a time, also in part', async () => {
    const { breaker, holds } = await place.open()
    for (const at of [now, now + 10 * minute]) {
      await breaker.pause(orderAt(at, `${at - now}`))
      await breaker.resume(orderAt(at + minute, ''))
    }
    await breaker.pause(orderAt(now + 20 * minute, 'still'))
    const during = async (since: number, until: number) =>
      (await holds.during(now + since * minute, now + until * minute, 10)).map(
        ({ reason }) => reason,
      )
    expect(await during(0.5, 15)).toEqual(['0', '600000'])
    expect(await during(2, 9)).toEqual([])
    expect(await during(12, 30)).toEqual(['still'])
  })

  test('an outage begins with the first that failed, and holds from when it was noticed', async () => {
    const { breaker, holds } = await place.open()
    await breaker.trip({ ...tripOf(now), at: now + 40 * minute })
    expect(await holds.list(1)).toMatchObject([{ since: now, heldFrom: now + 40 * minute }])
  })
})
