import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

/** Takes a turn, notes its name, and ends the turn a moment later. */
function taker(mutex: Mutex) {
  const taken: string[] = []
  return {
    taken,
    take: async (name: string) => {
      await mutex.acquire()
      taken.push(name)
      await Promise.resolve()
      taken.push(`${name} ends`)
      mutex.release()
    },
  }
}

test('one at a time, in the order of their coming', async () => {
  const { taken, take } = taker(new Mutex())
  await Promise.all([take('a'), take('b'), take('c')])
  expect(taken).toEqual(['a', 'a ends', 'b', 'b ends', 'c', 'c ends'])
})

test('a turn that was ended can be taken at once', async () => {
  const { taken, take } = taker(new Mutex())
  await take('a')
  await take('b')
  expect(taken).toHaveLength(4)
})
