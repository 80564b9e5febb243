import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveTopic } from '#domain/live-topic.ts'
import type { LiveLook, LiveOrder } from '#server/leads/live/live-news.ts'
import { LiveStreams } from './live-streams.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A store that answers with what is there, and writes down how it was asked. */
function setUp() {
  const stored = {
    news: [] as { seq: number; leads: string[] }[],
    deliveries: 'running',
    jobs: 'none',
  }
  const ended = new Set<string>()
  const orders: LiveOrder[] = []
  const met = vi.fn()
  let isAway = false
  const look = async (order: LiveOrder): Promise<LiveLook> => {
    orders.push(order)
    if (isAway) throw new Error('away')
    const news = stored.news.filter(({ seq }) => seq > order.after)
    return {
      seq: stored.news.at(-1)?.seq ?? 0,
      news: news.length > 3 ? undefined : news,
      deliveries: stored.deliveries,
      jobs: stored.jobs,
      openSessions: order.sessions.filter((id) => !ended.has(id)),
    }
  }
  const streams = new LiveStreams({
    live: { look },
    clock: Date.now,
    failureLog: { failed: met, succeeded() {} },
  })
  const open = (topics: readonly LiveTopic[], { since = '0.running', sessionId = 'one' } = {}) => {
    const told: string[] = []
    const sure = { times: 0 }
    const [seq = '', deliveries = ''] = since.split('.')
    const close = streams.open({
      sessionId,
      topics,
      since: since === '' ? undefined : { seq: Number(seq), deliveries, jobs: 'none' },
      tell: (changed, mark) => told.push(`${changed.join(' ')} ${mark}`),
      sure: () => {
        sure.times += 1
      },
      end: (why) => told.push(why),
    })
    return { told, close, sure }
  }
  const happens = (...leads: string[]) => {
    const news = { seq: (stored.news.at(-1)?.seq ?? 0) + 1, leads }
    stored.news.push(news)
    return news
  }
  return {
    stored,
    ended,
    orders,
    met,
    streams,
    open,
    happens,
    isAway: (away: boolean) => {
      isAway = away
    },
  }
}

const aSecond = () => vi.advanceTimersByTimeAsync(1000)

test('asks once a second for all that are open, and not at all for none', async () => {
  const { open, orders } = setUp()
  await aSecond()
  expect(orders).toHaveLength(0)
  const pages = ['one', 'two', 'three'].map((sessionId) => open(['leads'], { sessionId }))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(orders.length).toBeLessThanOrEqual(11)
  expect(orders.at(-1)?.sessions).toEqual(['one', 'two', 'three'])
  for (const { close } of pages) close?.()
  const asked = orders.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(orders).toHaveLength(asked)
})

test('tells each page what it follows, and up to where it knows then', async () => {
  const { open, happens, stored } = setUp()
  const [list, lead, other] = [open(['leads']), open(['lead:a', 'deliveries']), open(['lead:b'])]
  await aSecond()
  expect(list.told).toEqual([])
  happens('a', 'c')
  await aSecond()
  expect(list.told).toEqual(['leads 1.running.none'])
  expect(lead.told).toEqual(['lead:a 1.running.none'])
  expect(other.told).toEqual([])
  const job = open(['jobs'])
  stored.deliveries = 'paused'
  await aSecond()
  stored.jobs = 'half done'
  await aSecond()
  expect(job.told).toEqual(['jobs 1.paused.half done'])
  expect(lead.told).toEqual(['lead:a 1.running.none', 'deliveries 1.paused.none'])
  expect(list.told).toHaveLength(1)
})

test('what this process has followed itself is told at once, and once', async () => {
  const { open, happens, streams, orders } = setUp()
  const { told } = open(['leads'])
  await vi.advanceTimersByTimeAsync(10)
  const asked = orders.length
  streams.followed(happens('a'))
  streams.followed(happens('b'))
  await vi.advanceTimersByTimeAsync(60)
  expect(orders).toHaveLength(asked)
  expect(told).toEqual(['leads 2.running.none'])
  await aSecond()
  expect(told).toHaveLength(1)
})

test('what another process has followed before is not passed over', async () => {
  const { open, happens, streams } = setUp()
  const { told } = open(['lead:theirs'])
  await vi.advanceTimersByTimeAsync(10)
  happens('theirs')
  streams.followed(happens('own'))
  await aSecond()
  expect(told).toEqual(['lead:theirs 2.running.none'])
})

describe('who comes back is told', () => {
  test('what happened meanwhile', async () => {
    const { open, happens } = setUp()
    for (const lead of ['a', 'b', 'c']) happens(lead)
    const [of, notOf] = [
      open(['lead:c'], { since: '2.running' }),
      open(['lead:b'], { since: '2.running' }),
    ]
    await aSecond()
    expect(of.told).toEqual(['lead:c 3.running.none'])
    expect(notOf.told).toEqual([])
  })

  test.each([
    ['after too much', '1.running.none'],
    ['from another store', '99.running.none'],
    ['without a mark', ''],
  ])('everything, %s', async (_, since) => {
    const { open, happens } = setUp()
    for (let index = 0; index < 9; index++) happens('a')
    const { told } = open(['leads', 'lead:b'], { since })
    await aSecond()
    expect(told).toEqual(['leads lead:b 9.running.none'])
  })
})

test('a page is marked by a look of its own, unless there was one within the second', async () => {
  const { open, happens, streams, orders } = setUp()
  happens('a')
  expect(await streams.mark()).toBe('1.running.none')
  expect(orders).toHaveLength(1)
  open(['leads'], { since: '1.running' })
  await vi.advanceTimersByTimeAsync(10)
  expect(await streams.mark()).toBe('1.running.none')
  expect(orders).toHaveLength(2)
})

test('a session that has ended is told nothing more', async () => {
  const { open, ended, happens } = setUp()
  const [mine, theirs] = [open(['leads']), open(['leads'], { sessionId: 'two' })]
  await aSecond()
  ended.add('one')
  happens('a')
  await aSecond()
  expect(mine.told).toEqual(['session'])
  expect(theirs.told).toEqual(['leads 1.running.none'])
})

test('a session follows in four windows', () => {
  const { open } = setUp()
  const pages = Array.from({ length: 4 }, () => open(['leads']))
  expect(pages.every(({ close }) => close !== undefined)).toBe(true)
  expect(open(['leads']).close).toBeUndefined()
  expect(open(['leads'], { sessionId: 'two' }).close).toBeDefined()
  pages[0]?.close?.()
  expect(open(['leads']).close).toBeDefined()
})

test('goes on where the store was away', async () => {
  const { open, happens, isAway, met } = setUp()
  const { told } = open(['leads'])
  await aSecond()
  isAway(true)
  happens('a')
  await aSecond()
  expect(met).toHaveBeenCalled()
  isAway(false)
  await aSecond()
  expect(told).toEqual(['leads 1.running.none'])
})

test('ends all at once where the process stops, and who comes then', async () => {
  const { open, streams } = setUp()
  const { told } = open(['leads'])
  streams.stop()
  expect(told).toEqual(['stopping'])
  expect(open(['leads']).told).toEqual(['stopping'])
  expect(streams.count).toBe(0)
})

test('who hears nothing of the store is not told that nothing happened', async () => {
  const { open, isAway } = setUp()
  const { sure } = open(['leads'])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sure.times).toBeGreaterThanOrEqual(3)
  expect(sure.times).toBeLessThanOrEqual(6)
  isAway(true)
  await aSecond()
  const before = sure.times
  await vi.advanceTimersByTimeAsync(30_000)
  expect(sure.times).toBe(before)
  isAway(false)
  await aSecond()
  expect(sure.times).toBe(before + 1)
})
