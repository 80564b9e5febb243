import { Worker } from 'node:worker_threads'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { type Pattern, patternsInSource } from './patterns-in-source.ts'
import type { TimedPattern } from './time-patterns.ts'

/** How much processor time a pattern may take, in milliseconds, before it counts as endless. */
const silence = 30_000
/** This limit allows for a machine that is thirty times as busy. */
const timeout = 30 * silence
/** How often the thread's processor time is checked, in milliseconds. */
const interval = 500

/** The places of patterns that take more than linear time, or of the endless one and all after it. */
async function slowPlaces(patterns: readonly Pattern[]): Promise<readonly string[]> {
  const worker = new Worker(new URL('./time-patterns.ts', import.meta.url), {
    workerData: patterns,
  })
  const waiting = new Set(patterns.map(describePattern))
  const slow: string[] = []
  await new Promise<void>((resolve, reject) => {
    let heardAt = 0
    const look = setInterval(() => {
      // Only this thread's processor time counts. The exit of a thread that has ended is handled below.
      worker.cpuUsage().then(
        ({ user, system }) => (user + system) / 1000 - heardAt > silence && end(),
        () => undefined,
      )
    }, interval)
    const end = () => {
      clearInterval(look)
      resolve()
    }
    worker.on('message', ({ slowWith, usedMs, ...pattern }: TimedPattern) => {
      heardAt = usedMs
      waiting.delete(describePattern(pattern))
      if (slowWith) slow.push(`${describePattern(pattern)} with ${slowWith}`)
    })
    worker.on('error', reject)
    worker.on('exit', end)
  })
  await worker.terminate()
  return [...slow, ...waiting]
}

const describePattern = ({ place, pattern, flags }: Pattern): string =>
  `${place} /${pattern}/${flags}`

const { literals, made } = patternsInSource()

test('no pattern is built at run time', () => {
  expect(literals.length).toBeGreaterThan(50)
  expect(made).toEqual([])
})

test('no pattern’s structure allows more than linear time', () => {
  const ambiguous = literals.filter(
    ({ pattern, flags }) => analyse(new RegExp(pattern, flags)).reports.length > 0,
  )
  expect(ambiguous.map(describePattern)).toEqual([])
})

test('every pattern takes linear time on 16 KB of attack text', { timeout }, async () => {
  expect(await slowPlaces(literals)).toEqual([])
})

test.each([
  ['(a+)+$', ''],
  ['\\s+$', ''],
  ['^(.*?)\\s*\\b(\\d{5})(?:-\\d{4})?$', ''],
  ['^(\\S*\\d\\S*)\\s+(.*)$', ''],
  ['<!--.*?-->', 'g'],
  ['\\s*;\\s*', ''],
  ['^[nsew]\\d+\\s?\\d\\w*\\s', 'i'],
])('the attack slows down /%s/%s', { timeout }, async (pattern, flags) => {
  const planted = { place: 'planted', pattern, flags }
  expect(await slowPlaces([planted])).toHaveLength(1)
})
