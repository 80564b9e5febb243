import { expect, test } from 'vitest'
import { makeGroupCommit } from './group-commit.ts'

class BadItem extends Error {}

function gather(maxBatch = 3) {
  const batches: string[][] = []
  const add = makeGroupCommit<string, string>({
    maxBatch,
    keysOf: (item) => [item.charAt(0)],
    isItemFault: (error) => error instanceof BadItem,
    commit: async (batch) => {
      batches.push([...batch])
      if (batch.some((item) => item.endsWith('bad'))) throw new BadItem()
      if (batch.some((item) => item.endsWith('lost'))) throw new Error('connection lost')
      return batch.map((item) => item.toUpperCase())
    },
  })
  return { batches, add }
}

test('writes that arrive together are committed together, each with its own result', async () => {
  const { batches, add } = gather()
  expect(await Promise.all(['a', 'b', 'c'].map((item) => add(item)))).toEqual(['A', 'B', 'C'])
  expect(batches).toEqual([['a', 'b', 'c']])
})

test('a batch is no larger than its limit', async () => {
  const { batches, add } = gather(2)
  await Promise.all(['a', 'b', 'c'].map((item) => add(item)))
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('items with the same key are in separate batches, in the order of arrival', async () => {
  const { batches, add } = gather()
  await Promise.all(['a1', 'a2', 'b', 'a3'].map((item) => add(item)))
  expect(batches).toEqual([['a1', 'b'], ['a2'], ['a3']])
})

test('a bad item fails alone', async () => {
  const { add } = gather()
  const settled = await Promise.allSettled(['a', 'b-bad', 'c'].map((item) => add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a lost connection fails the whole batch and is not tried again', async () => {
  const { batches, add } = gather()
  const settled = await Promise.allSettled(['a', 'b-lost'].map((item) => add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toHaveLength(1)
  expect(await add('c')).toBe('C')
})

test('the next batch starts before callers learn the result of the last one', async () => {
  const happened: string[] = []
  const group = makeGroupCommit<string, string>({
    maxBatch: 1,
    keysOf: () => [],
    isItemFault: () => false,
    commit: async ([item = '']) => {
      happened.push(`${item} on its way`)
      return [item]
    },
  })
  const add = (item: string) => group(item).then(() => happened.push(`${item} resolved`))
  await Promise.all(['a', 'b'].map(add))
  expect(happened).toEqual(['a on its way', 'b on its way', 'a resolved', 'b resolved'])
})

test('an item that comes as soon as a batch is done is committed, too', async () => {
  const { batches, add } = gather()
  await add('a').then(() => add('b'))
  expect(batches).toEqual([['a'], ['b']])
})
