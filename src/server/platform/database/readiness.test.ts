import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStoreReadiness } from './readiness.ts'

const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
const corrupt = Object.assign(new Error('database disk image is malformed'), { errcode: 11 + 256 })
const constraint = Object.assign(new Error('UNIQUE constraint failed'), { errcode: 19 })

let room: boolean
let trials: number
let checks: number
let readiness: ReturnType<typeof makeStoreReadiness>
const isReady = () =>
  readiness.ready().then(
    () => true,
    (error: unknown) => error,
  )

beforeEach(() => {
  vi.useFakeTimers()
  room = false
  trials = 0
  checks = 0
  readiness = makeStoreReadiness(
    // One database page still fits on the disk, so a small write would succeed.
    async () => {
      checks++
    },
    async () => {
      trials++
      if (!room) throw full
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
})

test('the store is checked at most once a second, and with a trial write every thirty seconds', async () => {
  room = true
  for (let asked = 0; asked < 100; asked++) expect(await isReady()).toBe(true)
  expect({ checks, trials }).toEqual({ checks: 1, trials: 1 })
  for (let second = 0; second < 29; second++) {
    vi.advanceTimersByTime(1000)
    await isReady()
  }
  expect({ checks, trials }).toEqual({ checks: 30, trials: 1 })
})

test('a full disk is found without a refused enquiry, for example by a console', async () => {
  room = true
  expect(await isReady()).toBe(true)
  room = false
  vi.advanceTimersByTime(30_000)
  expect(await isReady()).toBe(full)
  room = true
  vi.advanceTimersByTime(1000)
  expect(await isReady()).toBe(true)
})

test('the first refused enquiry makes the store unready, and a trial write makes it ready again', async () => {
  room = true
  expect(await isReady()).toBe(true)
  room = false
  trials = 0
  readiness.refused(full)
  expect(await isReady()).toBe(full)
  for (let asked = 0; asked < 100; asked++) await isReady()
  expect(trials, 'however often monitors ask').toBe(0)
  room = true
  vi.advanceTimersByTime(1000)
  expect(await isReady()).toBe(true)
  expect(await isReady()).toBe(true)
  expect(trials).toBe(1)
})

test('an enquiry that is refused after a trial write makes the store unready at once', async () => {
  room = true
  readiness.refused(full)
  expect(await isReady()).toBe(true)
  readiness.refused(full)
  expect(await isReady()).toBe(full)
  vi.advanceTimersByTime(1000)
  expect(await isReady()).toBe(true)
})

test('a row with invalid values does not make the store unready', async () => {
  room = true
  readiness.refused(constraint)
  expect(await isReady()).toBe(true)
})

test('only a stored enquiry shows that a corrupt table works again, because a trial write uses another table', async () => {
  room = true
  readiness.refused(corrupt)
  expect(await isReady()).toBe(corrupt)
  vi.advanceTimersByTime(1000)
  expect(await isReady()).toBe(corrupt)
  readiness.stored()
  expect(await isReady()).toBe(true)
})
