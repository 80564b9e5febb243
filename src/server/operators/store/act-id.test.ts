import { expect, test } from 'vitest'
import { actId, beginsAt } from './act-id.ts'

const at = Date.UTC(2026, 10, 22)

test('is a UUIDv7 of its time, in the order in which it was made', () => {
  const ids = [at, at, at, at + 1, at + 1].map(actId)
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
  expect(ids.map((id) => id >= beginsAt(at + 1))).toEqual([false, false, false, true, true])
})
