import { expect, test } from 'vitest'
import { GroupCommit } from './group-commit.ts'

class BadItem extends Error {}

function gather(maxBatch = 3) {
  const batches: string[][] = []
  const group = new GroupCommit<string, string>({
    maxBatch,
    room: { maxWaiting: 5, fullError: () => new Error('full') },
    namesOf: (item) => [item.charAt(0)],
    isFaultOfAnItem: (error) => error instanceof BadItem,
    commit: async (batch) => {
      batches.push([...batch])
      if (batch.some((item) => item.endsWith('bad'))) throw new BadItem()
      if (batch.some((item) => item.endsWith('lost'))) throw new Error('connection lost')
      return batch.map((item) => item.toUpperCase())
    },
  })
  return { batches, group }
}

test('what arrives together is committed together, each with its own result', async () => {
  const { batches, group } = gather()
  expect(await Promise.all(['a', 'b', 'c'].map((item) => group.add(item)))).toEqual(['A', 'B', 'C'])
  expect(batches).toEqual([['a', 'b', 'c']])
})

test('a batch is no larger than its limit', async () => {
  const { batches, group } = gather(2)
  await Promise.all(['a', 'b', 'c'].map((item) => group.add(item)))
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('two of a name wait for each other, in the order of their arrival', async () => {
  const { batches, group } = gather()
  await Promise.all(['a1', 'a2', 'b', 'a3'].map((item) => group.add(item)))
  expect(batches).toEqual([['a1', 'b'], ['a2'], ['a3']])
})

test('a bad item fails alone', async () => {
  const { group } = gather()
  const settled = await Promise.allSettled(['a', 'b-bad', 'c'].map((item) => group.add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a lost connection fails the whole batch and is not tried again', async () => {
  const { batches, group } = gather()
  const settled = await Promise.allSettled(['a', 'b-lost'].map((item) => group.add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toHaveLength(1)
  expect(await group.add('c')).toBe('C')
})

test('no more than may wait are taken; the others are refused at once and keep nobody out', async () => {
  const { batches, group } = gather()
  const settled = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => group.add(item)),
  )
  expect(settled.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected'])
  expect(batches).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ])
  expect(await group.add('f')).toBe('F')
})

test('closing finishes what was taken and takes no more', async () => {
  const { group } = gather(1)
  const taken = [group.add('a'), group.add('b')]
  await group.close()
  await expect(group.add('c')).rejects.toThrow('closed')
  expect(await Promise.all(taken)).toEqual(['A', 'B'])
})
