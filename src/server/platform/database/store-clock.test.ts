import { expect, test } from 'vitest'
import { makeStoreClock } from './store-clock.ts'

/** Makes a clock whose machine is ahead of the database by `ahead.ms`, and whose database answers after two delays. */
function example(aheadMs: number) {
  const time = { true: 1_800_000_000_000, monotonic: 5000, ahead: aheadMs, before: 1, after: 1 }
  const pass = (ms: number) => {
    time.true += ms
    time.monotonic += ms
  }
  const clock = makeStoreClock(
    async () => {
      pass(time.before)
      const read = time.true
      pass(time.after)
      return read
    },
    { wall: () => time.true + time.ahead, monotonic: () => time.monotonic },
  )
  const error = () => clock.now() - time.true
  return { time, pass, clock, error }
}

test.for([0, 4999, -4900, 5200, -7_200_000])(
  'follows the database if the machine is %i ms ahead',
  async (ahead) => {
    const { time, pass, clock, error } = example(ahead)
    await clock.measure()
    pass(60_000)
    expect(error()).toBe(0)
    expect(clock.aheadMs()).toBe(ahead)
    expect(clock.isWrong()).toBe(Math.abs(ahead) > 5000)
    // The machine's clock is set while the process runs.
    time.ahead = 90_000
    expect(error()).toBe(0)
    expect(clock.isWrong()).toBe(true)
    time.ahead = 0
    expect(clock.isWrong()).toBe(false)
  },
)

test('slow answers neither move a good clock nor make the machine’s clock look wrong', async () => {
  const { time, clock, error } = example(0)
  await clock.measure()
  for (const [before, after] of [
    [1, 30_000],
    [30_000, 1],
    [9000, 12_000],
  ] as const) {
    Object.assign(time, { before, after })
    await clock.measure()
    expect(Math.abs(error())).toBeLessThanOrEqual(1)
    expect(clock.isWrong()).toBe(false)
  }
})

test('a slow first answer does not make the machine’s clock look wrong, and a fast one corrects the time', async () => {
  const { time, clock, error } = example(-300)
  Object.assign(time, { before: 20_000, after: 1 })
  await clock.measure()
  expect(Math.abs(error())).toBeLessThan(10_001)
  expect(clock.isWrong()).toBe(false)
  Object.assign(time, { before: 2, after: 2 })
  await clock.measure()
  expect(Math.abs(error())).toBeLessThanOrEqual(2)
})

test('follows a database whose clock is set', async () => {
  const { time, clock, error } = example(0)
  await clock.measure()
  time.true -= 600_000
  expect(error()).toBe(600_000)
  await clock.measure()
  expect(Math.abs(error())).toBeLessThanOrEqual(1)
})

test('is the machine’s clock on SQLite', async () => {
  let now = 1000
  const clock = makeStoreClock(undefined, { wall: () => now })
  await clock.measure()
  now = 99_000_000
  expect([clock.now(), clock.aheadMs(), clock.isWrong()]).toEqual([now, 0, false])
})
