import { expect, test } from 'vitest'
import { makeNetworkBuckets } from './rate-limits.ts'

/** Buckets of ten units that drain in 100 seconds. */
function makeBuckets(most?: number) {
  let time = 5_000_000
  const buckets = makeNetworkBuckets({ size: 10, drainsIn: 100_000, now: () => time }, most)
  return {
    buckets,
    pass: (ms: number) => {
      time += ms
    },
  }
}

function fill(buckets: ReturnType<typeof makeNetworkBuckets>, network: string, units: number) {
  for (let unit = 0; unit < units; unit++) buckets.add(network)
}

test('is full at its size, for each network alone', () => {
  const { buckets } = makeBuckets()
  fill(buckets, 'a', 9)
  expect(buckets.isFull('a')).toBe(false)
  fill(buckets, 'a', 1)
  expect(buckets.isFull('a')).toBe(true)
  expect(buckets.level('a')).toBe(10)
  expect(buckets.level('b')).toBe(0)
})

test('has room for one more unit at the announced second', () => {
  const { buckets, pass } = makeBuckets()
  fill(buckets, 'a', 10)
  expect(buckets.secondsUntilRoom('a')).toBe(10)
  pass(9000)
  expect(buckets.isFull('a')).toBe(true)
  expect(buckets.secondsUntilRoom('a')).toBe(1)
  pass(1000)
  expect(buckets.isFull('a')).toBe(false)
  fill(buckets, 'a', 1)
  expect(buckets.isFull('a')).toBe(true)
})

test('is empty after its period, and stays empty', () => {
  const { buckets, pass } = makeBuckets()
  fill(buckets, 'a', 10)
  pass(100_000)
  expect(buckets.level('a')).toBe(0)
  pass(1_000_000)
  fill(buckets, 'a', 10)
  expect(buckets.level('a')).toBe(10)
})

test('a unit can be taken back', () => {
  const { buckets } = makeBuckets()
  fill(buckets, 'a', 10)
  buckets.takeBack('a')
  expect(buckets.level('a')).toBe(9)
  buckets.takeBack('nobody')
  expect(buckets.level('nobody')).toBe(0)
})

/** The address range of a network prefix: its nth /64. */
const household = (n: number) => `2001:db8:7:${n.toString(16)}::/64`

test.each([
  { name: 'the /64s of a /56', step: 1, room: 20 },
  { name: 'the /64s of a /48', step: 0x0100, room: 40 },
])('$name share a higher limit', ({ step, room }) => {
  const { buckets, pass } = makeBuckets()
  const accepted = Array.from({ length: 60 }, (_, n) => household(n * step)).filter((network) => {
    if (buckets.isFull(network)) return false
    buckets.add(network)
    return true
  })
  expect(accepted).toHaveLength(room)
  const next = household(61 * step)
  expect(buckets.secondsUntilRoom(next)).toBe(Math.ceil(100 / room))
  buckets.takeBack(household(0))
  expect(buckets.isFull(next)).toBe(false)
  fill(buckets, household(0), 1)
  expect(buckets.isFull('2001:db8:8:0::/64')).toBe(false)
  pass(100_000)
  expect(buckets.isFull(next)).toBe(false)
  expect(buckets.level(household(0))).toBe(0)
})

test('a size that does not divide the period allows no extra unit', () => {
  for (const size of [1, 3, 7, 11, 13, 999]) {
    const buckets = makeNetworkBuckets({ size, drainsIn: 600_000, now: () => 123_456.789 })
    fill(buckets, 'a', size - 1)
    expect(buckets.isFull('a')).toBe(false)
    fill(buckets, 'a', 1)
    expect(buckets.level('a')).toBe(size)
  }
})

test('forgets the least recently used network if there are too many', () => {
  const { buckets } = makeBuckets(2)
  fill(buckets, 'a', 1)
  fill(buckets, 'b', 1)
  fill(buckets, 'a', 1)
  fill(buckets, 'c', 1)
  expect(['a', 'b', 'c'].map((network) => buckets.level(network))).toEqual([2, 0, 1])
})
