import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Takes a turn, notes its name, and ends the turn a moment later. */
function taker(turns: Turns) {
  const taken: string[] = []
  return {
    taken,
    take: async (name: string, urgency?: 'urgent') => {
      await turns.take(urgency)
      taken.push(name)
      await Promise.resolve()
      taken.push(`${name} ends`)
      turns.end()
    },
  }
}

test('one at a time, in the order of their coming, the urgent before all who wait', async () => {
  const { taken, take } = taker(new Turns())
  await Promise.all([take('a'), take('b'), take('c'), take('d', 'urgent')])
  expect(taken).toEqual(['a', 'a ends', 'd', 'd ends', 'b', 'b ends', 'c', 'c ends'])
})

test('a turn that was ended can be taken at once', async () => {
  const { taken, take } = taker(new Turns())
  await take('a')
  await take('b')
  expect(taken).toHaveLength(4)
})
