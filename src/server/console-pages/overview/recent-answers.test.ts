import { expect, test } from 'vitest'
import { readRecentAnswers } from './read-overview.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 22, 12)

const slots = [
  { from: now - 200 * hour, delivered: 99, rejected: 99 },
  { from: now - 190 * hour, delivered: 40, rejected: 2 },
  { from: now - 25 * hour, delivered: 30, rejected: 1 },
  { from: now - 23 * hour, delivered: 9, rejected: 3 },
  { from: now, delivered: 1, rejected: 0 },
]

test('counts the last day and the seven days before it', async () => {
  const answers = async (since: number) => slots.filter(({ from }) => from >= since)
  expect(await readRecentAnswers({ answers }, now)).toEqual({
    lastDay: { delivered: 10, rejected: 3 },
    before: { delivered: 70, rejected: 3 },
  })
})
