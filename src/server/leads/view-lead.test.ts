import { expect, test } from 'vitest'
import { revealLimit } from '#domain/operator/permissions.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import { runRateLimitedReveal } from './view-lead.ts'

test('reveals at the same moment, which all pass the first count, still show only the limit’s number of leads', async () => {
  const { most } = revealLimit
  const entries: string[] = []
  const outcomes: string[] = []
  let counts = 0
  const together = Promise.withResolvers<void>()
  const audit = {
    list: async ({ action }: { action: string }) => {
      const found = entries.filter((entry) => entry === action)
      // A reveal counts reveals and searches. The first counts of all ten end before the first entry.
      counts++
      if (counts === 20) together.resolve()
      await together.promise
      return counts <= 20 ? found : entries.filter((entry) => entry === action)
    },
    record: async (_actor: unknown, { action }: { action: string }) => {
      entries.push(action)
      return String(entries.length)
    },
    recordOutcome: async (_id: string, outcome: string) => void outcomes.push(outcome),
  } as unknown as AuditLog
  const actor = {
    kind: 'console',
    id: 'ada',
    email: '',
    network: '',
    role: 'operator',
    lastAuthenticatedAt: 0,
  } as const
  entries.push(...Array.from({ length: most - 3 }, () => 'revealed a lead'))
  let refused = 0
  const reveal = () =>
    runRateLimitedReveal({ audit, onTooMany: () => refused++ }, actor, { at: 1 }, async () => 'Ada')
  const results = await Promise.allSettled(Array.from({ length: 10 }, reveal))
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3)
  expect(refused).toBeGreaterThanOrEqual(7)
  expect(outcomes).toContain('not done: more than 60 within an hour')
})
