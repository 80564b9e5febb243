import { expect, test } from 'vitest'
import { Lazy } from './lazy.ts'

function counted(make: () => Promise<string>) {
  let times = 0
  const lazy = new Lazy(() => {
    times++
    return make()
  })
  return { lazy, times: () => times }
}

test('is made once, and not before somebody asks', async () => {
  const { lazy, times } = counted(async () => 'made')
  expect([times(), lazy.made()]).toEqual([0, undefined])
  expect(await Promise.all([lazy.get(), lazy.get()])).toEqual(['made', 'made'])
  expect(await lazy.made()).toBe('made')
  expect(await lazy.get()).toBe('made')
  expect(times()).toBe(1)
})

test('a failure reaches all waiting callers, and the next call tries again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('back')]
  const { lazy, times } = counted(() => answers.shift() ?? Promise.reject(new Error('asked again')))
  const both = await Promise.allSettled([lazy.get(), lazy.get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(lazy.made()).toBeUndefined()
  expect(await lazy.get()).toBe('back')
  expect(times()).toBe(2)
})
