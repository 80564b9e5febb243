import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveUpdates } from './live-updates.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function setUp() {
  const store = { changes: 'a', isAway: false, reads: 0 }
  const failureLog = { failed: vi.fn(), succeeded: vi.fn() }
  const live = new LiveUpdates({
    readChanges: async () => {
      store.reads += 1
      if (store.isAway) throw new Error('away')
      return store.changes
    },
    failureLog,
  })
  const open = (sessionId = 'one') => {
    const page = { events: [] as string[], isOver: false, isAllowed: true, close: () => {} }
    const closed = new AbortController()
    page.close = () => closed.abort()
    const isStillAllowed = async () => page.isAllowed
    const collect = async () => {
      for await (const event of live.follow({ sessionId, isStillAllowed, signal: closed.signal })) {
        page.events.push(event)
      }
      page.isOver = true
    }
    void collect()
    return page
  }
  return { store, failureLog, live, open }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

test('one read a second serves all open pages, and without pages nothing is read', async () => {
  const { store, open, live } = setUp()
  await seconds(5)
  expect(store.reads).toBe(0)
  const pages = ['one', 'two', 'three'].map(open)
  await seconds(10)
  expect(store.reads).toBeLessThanOrEqual(11)
  for (const page of pages) page.close()
  await seconds(1)
  const before = store.reads
  await seconds(10)
  expect(store.reads).toBe(before)
  expect(live.count).toBe(0)
})

test('a page hears `changed` first and after each change, and `same` in between', async () => {
  const { store, open } = setUp()
  const page = open()
  await seconds(2)
  store.changes = 'b'
  await seconds(2)
  expect(page.events).toEqual(['changed', 'same', 'same', 'changed', 'same'])
})

test('a page that is not allowed any more hears that within a second, and nothing else', async () => {
  const { store, open, live } = setUp()
  const [mine, other] = [open('one'), open('two')]
  await seconds(1)
  mine.isAllowed = false
  store.changes = 'b'
  await seconds(1)
  expect(mine.events.at(-1)).toBe('ended')
  expect(mine.isOver).toBe(true)
  expect(other.events.at(-1)).toBe('changed')
  expect(live.count).toBe(1)
})

test('pages receive nothing while the store cannot be read, and continue afterwards', async () => {
  const { store, open, failureLog } = setUp()
  const page = open()
  await seconds(1)
  store.isAway = true
  await seconds(1)
  const heard = page.events.length
  await seconds(30)
  expect(page.events).toHaveLength(heard)
  expect(failureLog.failed).toHaveBeenCalled()
  store.isAway = false
  store.changes = 'b'
  await seconds(1)
  expect(page.events.slice(heard)).toEqual(['changed'])
})

test('a session has four open pages', () => {
  const { open, live } = setUp()
  for (let page = 0; page < 3; page++) open()
  expect(live.hasRoom('one')).toBe(true)
  open()
  expect(live.hasRoom('one')).toBe(false)
  expect(live.hasRoom('two')).toBe(true)
})

test('stopping ends every page, also one that opens afterwards', async () => {
  const { open, live } = setUp()
  const page = open()
  await seconds(1)
  live.stop()
  await seconds(0)
  expect(page.isOver).toBe(true)
  const late = open()
  await seconds(0)
  expect(late.isOver).toBe(true)
})
