import { expect, test } from 'vitest'
import { findRetentionLimits, maxRetentionDays } from './retention.ts'

const iso = (at: number) => new Date(at).toISOString()

test('leads expire after the set days, consents after five calendar years', () => {
  const limits = findRetentionLimits(Date.UTC(2026, 10, 21, 9, 30), 730)
  expect(iso(limits.leadsBefore)).toBe('2024-11-21T09:30:00.000Z')
  expect(iso(limits.consentsBefore)).toBe('2021-11-21T09:30:00.000Z')
})

test('the proof of consent never expires before the answers', () => {
  const limits = findRetentionLimits(Date.UTC(2028, 1, 29), maxRetentionDays)
  expect(limits.consentsBefore).toBeLessThanOrEqual(limits.leadsBefore)
})
