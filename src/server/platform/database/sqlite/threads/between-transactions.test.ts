import { expect, test } from 'vitest'
import { BetweenTransactions } from './between-transactions.ts'

test('runs at once where no transaction is open', async () => {
  const between = new BetweenTransactions(() => false)
  expect(await between.run(() => 'stored')).toBe('stored')
})

test('waits for the end of the open transaction, and of one that began again meanwhile', async () => {
  let isOpen = true
  const happened: string[] = []
  const between = new BetweenTransactions(() => isOpen)
  const stored = between.run(() => happened.push('stored'))
  between.look()
  happened.push('looked while it was open')
  isOpen = false
  between.look()
  isOpen = true
  await Promise.resolve()
  happened.push('the next one is open')
  isOpen = false
  between.look()
  await stored
  expect(happened).toEqual(['looked while it was open', 'the next one is open', 'stored'])
})

test('hands on what the run throws', async () => {
  const between = new BetweenTransactions(() => false)
  const failing = () => {
    throw new Error('disk full')
  }
  await expect(between.run(failing)).rejects.toThrow('disk full')
})
