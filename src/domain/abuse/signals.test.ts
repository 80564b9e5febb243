import { describe, expect, test } from 'vitest'
import {
  type AbuseEvidence,
  type AbuseSignal,
  abuseSignals,
  describeSignal,
  findSignals,
  isSuspicious,
  minHumanFillMs,
} from './signals.ts'

describe('no signal for', () => {
  test.each<[string, AbuseEvidence]>([
    ['a sender without any evidence', {}],
    ['an empty honeypot', { honeypot: '' }],
    ['spaces in the honeypot, as some form fillers leave', { honeypot: ' \n' }],
    ['the fastest person', { filledInMs: minHumanFillMs }],
    ['a visitor who left the page open for a week', { filledInMs: 7 * 24 * 3600 * 1000 }],
    ['a clock that was set back while the visitor typed', { filledInMs: -5 }],
    ['a time that is no number', { filledInMs: Number.NaN }],
    ['a quiet network', { network: 'quiet' }],
    ['lasting mail', { isMailDisposable: false }],
  ])('%s', (_, evidence) => {
    expect(findSignals(evidence)).toEqual([])
  })
})

const found: readonly [AbuseEvidence, string[], boolean][] = [
  [{ honeypot: 'buy now' }, ['honeypot-filled'], true],
  [{ filledInMs: minHumanFillMs - 1 }, ['too-fast'], true],
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

test.each(found)('%j shows %j', (evidence, shown, suspicious) => {
  const signals = findSignals(evidence)
  expect(signals).toEqual(shown)
  expect(isSuspicious(signals)).toBe(suspicious)
})

test('some evidence shows each signal', () => {
  // Only the store knows which affiliates are stopped, and who asked not to be contacted.
  const stored = ['affiliate-stopped', 'do-not-contact']
  const shown = [...found.flatMap(([, signals]) => signals), ...stored]
  expect([...new Set(shown)].sort()).toEqual([...abuseSignals].sort())
})

test('an enquiry without signals is not suspicious', () => {
  expect(isSuspicious([])).toBe(false)
})

test('a later release’s signal is described by its name', () => {
  expect(describeSignal('same-text' as AbuseSignal)).toBe('same-text')
})
