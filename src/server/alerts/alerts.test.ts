import { describe, expect, test } from 'vitest'
import type { BreakerTrip } from '#domain/delivery/breaker.ts'
import { answered, healthyOverview } from '#tests/console/healthy-overview.ts'
import { findAlerts, findQuarantineAlert } from './alerts.ts'
import type { OverviewData } from './overview-reader.ts'

const now = Date.UTC(2026, 10, 22, 12)
const hour = 3_600_000

const trip: BreakerTrip = {
  cause: 'outage',
  reason: 'HTTP 503',
  since: now - hour,
  failedProbes: 0,
  probeAt: now,
  repeatAt: now,
}

const titlesOf = (data: Partial<OverviewData>) =>
  findAlerts({ ...healthyOverview, ...data }, now).map(({ title }) => title)

describe('no alert', () => {
  test.each<[string, Partial<OverviewData>]>([
    ['on an ordinary day', {}],
    ['while a lead is due for less than an hour', { dueSince: now - hour + 1 }],
    ['while a lead waits for its next attempt', { dueSince: now + 9 * hour }],
    ['if the distributor rejects a few of many leads', { answers: answered(100, 10) }],
    ['if the distributor rejects the first two leads', { answers: answered(0, 2) }],
    [
      'if a lead came into quarantine this morning',
      { quarantined: { count: 1, since: now - 7 * hour } },
    ],
    ['on a quiet day of a quiet week', { received: 0, least: 9 }],
    ['in the first week', { received: 0, least: undefined }],
  ])('%s', (_, data) => {
    expect(titlesOf(data)).toEqual([])
  })
})

test('a pause links to the runbook’s section about pauses', () => {
  const paused = { pause: { reason: '', since: now }, trip: null }
  const [pause] = findAlerts({ ...healthyOverview, breaker: paused }, now)
  expect(pause?.section).toBe('Deliveries are paused')
})

test('reports a nearly full disk and an unusual silence', () => {
  const silence = { since: now - hour, least: 12 }
  expect(titlesOf({ freeBytes: 999_000_000, silence })).toEqual([
    'The disk of the store is nearly full: 999 MB are free',
    'No enquiry for an unusually long time',
  ])
  expect(titlesOf({ freeBytes: 1e9 })).toEqual([])
})

test('leads in doubt after a restore come before its pause', () => {
  const data = {
    inDoubt: { count: 3, restoredAt: now },
    breaker: { pause: { reason: 'restored from a backup', since: now }, trip: null },
  }
  expect(titlesOf(data)).toEqual([
    '3 restored leads may have been delivered since the backup',
    'Deliveries are paused',
  ])
})

test('a failure to store enquiries comes first', () => {
  const data = {
    notStored: 'disk full',
    breaker: { pause: null, trip },
    failing: { attempts: 3, since: now },
  }
  expect(titlesOf(data)).toEqual([
    "Visitors can't submit enquiries: disk full",
    'The distributor answers with an error',
  ])
})

test.each<[Partial<OverviewData>, string]>([
  [{ failing: { attempts: 1, since: now } }, 'The latest delivery attempt failed'],
  [{ failing: { attempts: 3, since: now } }, 'The latest 3 delivery attempts failed'],
  [{ breaker: { pause: { reason: '', since: now }, trip: null } }, 'Deliveries are paused'],
  [{ breaker: { pause: null, trip } }, 'The distributor answers with an error'],
  [
    { breaker: { pause: null, trip: { ...trip, reason: 'timeout' } } },
    'The distributor does not answer',
  ],
  [
    { breaker: { pause: null, trip: { ...trip, reason: 'HTTP 200' } } },
    'The distributor sends unusable answers',
  ],
  [
    { breaker: { pause: null, trip: { ...trip, cause: 'refused' } } },
    'The distributor has accepted no lead',
  ],
  [
    {
      breaker: {
        pause: null,
        trip: {
          ...trip,
          cause: 'refused',
          failedProbes: 200,
        },
      },
    },
    'The distributor refuses us',
  ],
  [{ dead: { count: 1, since: now } }, '1 delivery has used up all attempts'],
  [{ dead: { count: 1200, since: now } }, '1,200 deliveries have used up all attempts'],
  [{ dueSince: now - hour }, 'Leads have waited for more than an hour'],
  [{ answers: answered(80, 20) }, '20 of 100 leads rejected in the last 24 hours'],
  [{ answers: answered(81, 19) }, '19 of 100 leads rejected in the last 24 hours'],
  [{ unreadable: 2 }, '2 leads cannot be read'],
  [{ received: 22, least: 90 }, '22 enquiries today: far fewer than on any day of the last week'],
])('%o: %s', (data, title) => {
  expect(titlesOf(data)).toEqual([title])
})

test('lists an outage before failed deliveries, and no alert about waiting leads', () => {
  const data = {
    breaker: { pause: null, trip },
    dueSince: now - 5 * hour,
    dead: { count: 3, since: now },
  }
  expect(titlesOf(data)).toEqual([
    'The distributor answers with an error',
    '3 deliveries have used up all attempts',
  ])
})

test('each alert has advice, and names a section of the runbook', async () => {
  const { readFile } = await import('node:fs/promises')
  const runbook = await readFile(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')
  const all = findAlerts(
    {
      ...healthyOverview,
      dead: { count: 1, since: now },
      dueSince: now - hour,
      answers: answered(0, 9),
      unreadable: 1,
      received: 0,
    },
    now,
  )
  expect(all).toHaveLength(5)
  for (const { section, advice } of [
    ...all,
    ...[findQuarantineAlert({ quarantined: { count: 1, since: 0 } })].filter(
      (alert) => alert !== undefined,
    ),
    ...findAlerts({ ...healthyOverview, breaker: { pause: null, trip } }, now),
    ...findAlerts(
      { ...healthyOverview, breaker: { pause: null, trip: { ...trip, reason: 'HTTP 200' } } },
      now,
    ),
  ]) {
    expect(runbook).toContain(`\n## ${section}\n`)
    expect(advice).not.toBe('')
  }
})
