import { Worker } from 'node:worker_threads'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { type Pattern, patternsInSource } from './patterns-in-source.ts'
import type { TimedPattern } from './time-patterns.ts'

/** So long a pattern may keep the thread silent, in milliseconds: one that needs it does not end at all. */
const patience = 30_000
/** Others use the processor, too. */
const timeout = 4 * patience

/** The places of those that take more than linear time; and of the one that does not come to an end, with all after it. */
async function timed(patterns: readonly Pattern[]): Promise<readonly string[]> {
  const worker = new Worker(new URL('./time-patterns.ts', import.meta.url), {
    workerData: patterns,
  })
  const waiting = new Set(patterns.map(inWords))
  const slow: string[] = []
  await new Promise<void>((resolve, reject) => {
    const giveUp = setTimeout(resolve, patience)
    worker.on('message', ({ slowWith, ...pattern }: TimedPattern) => {
      giveUp.refresh()
      waiting.delete(inWords(pattern))
      if (slowWith) slow.push(`${inWords(pattern)} with ${slowWith}`)
    })
    worker.on('error', reject)
    worker.on('exit', () => {
      clearTimeout(giveUp)
      resolve()
    })
  })
  await worker.terminate()
  return [...slow, ...waiting]
}

const inWords = ({ place, pattern, flags }: Pattern): string => `${place} /${pattern}/${flags}`

const { literals, made } = patternsInSource()

test('every pattern stands in the source as it is run', () => {
  expect(literals.length).toBeGreaterThan(50)
  expect(made).toEqual([])
})

test('no pattern can try a text in more ways than it has characters, by its structure', () => {
  const ambiguous = literals.filter(
    ({ pattern, flags }) => analyse(new RegExp(pattern, flags)).reports.length > 0,
  )
  expect(ambiguous.map(inWords)).toEqual([])
})

test('16 KB of what a pattern likes least take no more than linear time', { timeout }, async () => {
  expect(await timed(literals)).toEqual([])
})

test.each([
  ['(a+)+$', ''],
  ['\\s+$', ''],
  ['^(.*?)\\s*\\b(\\d{5})(?:-\\d{4})?$', ''],
  ['^(\\S*\\d\\S*)\\s+(.*)$', ''],
  ['<!--.*?-->', 'g'],
  ['\\s*;\\s*', ''],
  ['^[nsew]\\d+\\s?\\d\\w*\\s', 'i'],
])('the attack finds /%s/%s', { timeout }, async (pattern, flags) => {
  const planted = { place: 'planted', pattern, flags }
  expect(await timed([planted])).toHaveLength(1)
})
