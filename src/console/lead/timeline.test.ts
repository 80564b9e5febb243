import { expect, test } from 'vitest'
import type { Hold } from '#domain/delivery/hold.ts'
import { holdEvents } from './timeline.tsx'

const minute = 60_000
const outage: Hold = {
  kind: 'outage',
  reason: 'HTTP 503',
  since: 10 * minute,
  heldFrom: null,
  until: 40 * minute,
  isOpen: false,
  begunBy: null,
  endedBy: null,
  endReason: null,
}
const pause: Hold = { ...outage, kind: 'pause', reason: 'moves house', begunBy: 'ada@example.edu' }

const wordsOf = (holds: readonly Hold[], since: number, until: number) =>
  holdEvents(holds, [{ since, until }]).map(({ at, what }) => [at / minute, what])

test('says how long of it the lead waited, and why', () => {
  expect(wordsOf([outage, pause], 0, 60 * minute)).toEqual([
    [10, 'Held for 30 m: the distributor answered with an error (HTTP 503)'],
    [10, 'Held for 30 m: deliveries were paused by ada@example.edu (moves house)'],
  ])
  expect(wordsOf([outage], 20 * minute, 25 * minute)).toEqual([
    [20, 'Held for 5 m: the distributor answered with an error (HTTP 503)'],
  ])
})

test('one that lasts ends now, one whose end nobody noted is left out, one that was over before is none', () => {
  const open = { ...outage, until: null, isOpen: true }
  expect(wordsOf([open], 0, 11 * minute)).toEqual([
    [10, 'Held for 1 m: the distributor answered with an error (HTTP 503)'],
  ])
  expect(wordsOf([{ ...open, isOpen: false }], 0, 60 * minute)).toEqual([])
  expect(wordsOf([outage], 40 * minute, 60 * minute)).toEqual([])
})

test('of an outage that was noticed late the time before is none in which the lead was held', () => {
  const late = { ...outage, heldFrom: 30 * minute }
  expect(wordsOf([late], 0, 60 * minute)).toEqual([
    [30, 'Held for 10 m: the distributor answered with an error (HTTP 503)'],
  ])
  expect(wordsOf([late], 0, 20 * minute)).toEqual([])
})

test('while it owed nothing it was not held', () => {
  const stretches = [
    { since: 0, until: 5 * minute },
    { since: 35 * minute, until: 60 * minute },
  ]
  expect(holdEvents([outage, pause], stretches).map(({ at }) => at / minute)).toEqual([35, 35])
})
