import { expect, test } from 'vitest'
import { retryConflicts } from './retry-conflicts.ts'

const failing = (times: number, fault: object) => {
  const calls = { count: 0 }
  const run = async () => {
    calls.count++
    if (calls.count <= times) throw Object.assign(new Error('refused'), fault)
    return 'done'
  }
  return { calls, run }
}

test.each([
  ['a serialization failure', { code: '40001' }],
  ['a deadlock', { code: '40P01' }],
  ['SQLITE_BUSY', { code: 'ERR_SQLITE_ERROR', errcode: 5 }],
  ['SQLITE_BUSY_SNAPSHOT', { code: 'ERR_SQLITE_ERROR', errcode: 517 }],
])('%s is tried again', async (_name, fault) => {
  const { calls, run } = failing(2, fault)
  expect(await retryConflicts(run)).toBe('done')
  expect(calls.count).toBe(3)
})

test.each([
  ['a lost connection', { code: 'ECONNRESET' }],
  ['a broken constraint', { code: '23505' }],
  ['SQLITE_FULL', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
])('%s rejects at once', async (_name, fault) => {
  const { calls, run } = failing(1, fault)
  await expect(retryConflicts(run)).rejects.toMatchObject(fault)
  expect(calls.count).toBe(1)
})

test('a conflict that does not end rejects', async () => {
  const { calls, run } = failing(100, { code: '40001' })
  await expect(retryConflicts(run)).rejects.toMatchObject({ code: '40001' })
  expect(calls.count).toBe(6)
})
