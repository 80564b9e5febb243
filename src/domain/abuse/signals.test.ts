import { describe, expect, test } from 'vitest'
import {
  type AbuseEvidence,
  fastestPersonMs,
  findSignals,
  isSuspicious,
  type KnownOfLead,
  type Signal,
  signals,
  weighEvidence,
} from './signals.ts'

describe('nothing speaks against', () => {
  test.each<[string, AbuseEvidence]>([
    ['a sender of whom nothing is known', {}],
    ['an empty honeypot', { honeypot: '' }],
    ['spaces in it, as some form fillers leave', { honeypot: ' \n' }],
    ['the fastest person', { filledInMs: fastestPersonMs }],
    ['somebody who left the page open for a week', { filledInMs: 7 * 24 * 3600 * 1000 }],
    ['a clock that was set back meanwhile', { filledInMs: -5 }],
    ['a time that is no number', { filledInMs: Number.NaN }],
    ['a quiet network', { network: 'quiet' }],
    ['lasting mail', { isMailDisposable: false }],
  ])('%s', (_, signs) => {
    expect(findSignals(signs)).toEqual([])
  })
})

const found: readonly [AbuseEvidence, string[], boolean][] = [
  [{ honeypot: 'buy now' }, ['honeypot-filled'], true],
  [{ filledInMs: fastestPersonMs - 1 }, ['too-fast'], true],
  [{ filledInMs: 0 }, ['too-fast'], true],
  [{ network: 'busy' }, ['no-proof'], true],
  [{ isMailDisposable: true }, ['disposable-mail'], false],
  [{ network: 'busy and proven' }, ['busy-network'], false],
  [
    { network: 'busy and proven', isMailDisposable: true },
    ['busy-network', 'disposable-mail'],
    true,
  ],
]

test.each(found)('%j shows %j', (signs, shown, suspicious) => {
  const signals = findSignals(signs)
  expect(signals).toEqual(shown)
  expect(isSuspicious(signals)).toBe(suspicious)
})

test('something shows each signal that there is', () => {
  const shown = found.flatMap(([, signals]) => signals)
  expect([...new Set(shown)].sort()).toEqual([...signals].sort())
})

test('no signal, no suspicion', () => {
  expect(isSuspicious([])).toBe(false)
})

const unknownPerson = { delivered: 0, quarantined: 0, rest: 0, isAll: true }
const known = (part: Partial<KnownOfLead>): KnownOfLead => ({
  signals: [],
  isAddressVerified: undefined,
  others: unknownPerson,
  ...part,
})

test('found signals count against a lead, strongest first; absent ones count for it', () => {
  const weighed = weighEvidence(known({ signals: ['disposable-mail', 'too-fast'] }))
  expect(weighed.against).toEqual([
    'The whole form was filled in less than two seconds: enough by itself.',
    'The email address is a disposable one: honest people have that, too.',
  ])
  expect(weighed.for).toEqual([
    'Its network was not sending many.',
    'Nothing stood in the field that people do not see.',
  ])
})

test('the person’s other leads count for or against, with a note if not all were counted', () => {
  const others = { delivered: 1, quarantined: 7, rest: 0, isAll: false }
  const { against, for: reasonsFor } = weighEvidence(known({ signals: ['no-proof'], others }))
  expect(against).toContain(
    'At least 7 other leads with the same email or phone are in quarantine.',
  )
  expect(reasonsFor[0]).toBe('At least 1 other lead with the same email or phone was taken before.')
})

test('an unreadable address is not counted', () => {
  const reasonsIf = (isAddressVerified: boolean | undefined) =>
    Object.values(weighEvidence(known({ isAddressVerified })))
      .flat()
      .join(' ')
  expect(reasonsIf(true)).toContain('Its address was verified, as its form says.')
  expect(reasonsIf(false)).toContain('Its address was not verified.')
  expect(reasonsIf(undefined)).not.toContain('Its address')
})

test('a later release’s signal is shown by its name', () => {
  const newerSignal = 'same-text' as Signal
  expect(weighEvidence(known({ signals: [newerSignal] })).against).toEqual([
    'Same-text: honest people have that, too.',
  ])
})
