import { expect, it, test } from 'vitest'
import { deliveryStatus, type Ending, type Settlement, waitingPeriods } from './delivery.ts'

const now = 1_000

it.each<[string, Settlement | null, number | null, string]>([
  ['nobody has it', null, null, 'pending'],
  ['a worker has it', null, now + 1, 'leased'],
  ['the lease ends now', null, now, 'pending'],
  ['the lease has ended', null, now - 1, 'pending'],
  ['delivered', 'delivered', null, 'delivered'],
  ['rejected', 'rejected', null, 'rejected'],
  ['dead', 'dead', null, 'dead'],
  ['delivered while a lease is left over', 'delivered', now + 1, 'delivered'],
])('%s', (_, settledAs, leasedUntil, status) =>
  expect(deliveryStatus({ settledAs, leasedUntil }, now)).toBe(status),
)

const rejected = (startedAt: number) => ({ startedAt, durationMs: 1, outcome: 'rejected' as const })
const busy = (startedAt: number) => ({ ...rejected(startedAt), outcome: 'busy' as const })
const ending = (settledAt: number, owedAgainAt: number): Ending => ({
  settledAs: 'dead',
  settledAt,
  owedAgainAt,
  isByHand: false,
})
const pairs = (...[owed]: Parameters<typeof waitingPeriods>) =>
  waitingPeriods(owed).map(({ since, until }) => [since, until])

test('a lead waits from its arrival to its delivery’s end', () => {
  expect(pairs({ since: 5, until: 90, endings: [], attempts: [busy(6), rejected(80)] })).toEqual([
    [5, 90],
  ])
})

test('not between an end and the retry after it, however often', () => {
  const endings = [ending(20, 50), ending(60, 80)]
  expect(pairs({ since: 5, until: 90, endings, attempts: [busy(19), busy(59)] })).toEqual([
    [5, 20],
    [50, 60],
    [80, 90],
  ])
})

test('of a retry that a version before has not noted the next attempt tells', () => {
  const attempts = [rejected(10), busy(70), rejected(75), rejected(85)]
  expect(pairs({ since: 5, until: 90, endings: [ending(76, 80)], attempts })).toEqual([
    [5, 11],
    [70, 76],
    [80, 90],
  ])
})
