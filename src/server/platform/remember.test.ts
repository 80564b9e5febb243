import { expect, it } from 'vitest'
import { registerMemory } from './memory.ts'

function remembered(most = 10) {
  const asked: string[] = []
  const answers = new Map<string, string>()
  let now = 1
  const ask = registerMemory<string>(
    async (key) => {
      asked.push(key)
      return answers.get(key) ?? 'fault'
    },
    { most, holdsMs: 1000, isKept: (answer) => answer !== 'fault', clock: () => now },
  )
  return {
    ask,
    asked,
    answers,
    pass: (ms: number) => {
      now += ms
    },
  }
}

it('asks once while an answer is under way and while it holds, and again afterwards', async () => {
  const { ask, asked, answers, pass } = remembered()
  answers.set('a', '1')
  expect(await Promise.all([ask('a'), ask('a')])).toEqual(['1', '1'])
  pass(1000)
  expect(await ask('a')).toBe('1')
  expect(asked).toEqual(['a'])
  pass(1)
  await ask('a')
  expect(asked).toEqual(['a', 'a'])
})

it('shares a fault with those who wait for it, and keeps it for nobody else', async () => {
  const { ask, asked, answers } = remembered()
  expect(await Promise.all([ask('a'), ask('a')])).toEqual(['fault', 'fault'])
  expect(asked).toEqual(['a'])
  answers.set('a', '1')
  expect(await ask('a')).toBe('1')
})

it('keeps no answer that was a failure', async () => {
  const failing = [Promise.reject(new Error('lost')), Promise.resolve('1')]
  const ask = registerMemory(async () => failing.shift() ?? 'too often', {
    most: 10,
    holdsMs: 1000,
    isKept: () => true,
  })
  await expect(ask('a')).rejects.toThrow('lost')
  expect(await ask('a')).toBe('1')
})

it('keeps so many, and lets those go that were not asked for the longest', async () => {
  const { ask, asked, answers } = remembered(2)
  for (const key of ['a', 'b', 'c']) answers.set(key, key)
  await ask('a')
  await ask('b')
  await ask('a')
  await ask('c')
  for (const key of ['a', 'c', 'b']) await ask(key)
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
})
