import { expect, test } from 'vitest'
import type { Signal } from './signal.ts'
import { type KnownOfLead, weighEvidence } from './weigh-evidence.ts'

const unknownPerson = { delivered: 0, quarantined: 0, rest: 0, isAll: true }
const known = (part: Partial<KnownOfLead>): KnownOfLead => ({
  signals: [],
  isAddressVerified: undefined,
  others: unknownPerson,
  ...part,
})

test('what was found speaks against, the strongest first; what was not found speaks for', () => {
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

test('the person’s other leads speak for or against, and it is said where not all were counted', () => {
  const others = { delivered: 1, quarantined: 7, rest: 0, isAll: false }
  const { against, for: speaksFor } = weighEvidence(known({ signals: ['no-proof'], others }))
  expect(against).toContain(
    'At least 7 other leads with the same email or phone are in quarantine.',
  )
  expect(speaksFor[0]).toBe('At least 1 other lead with the same email or phone was taken before.')
})

test('of an address that cannot be read nothing is said', () => {
  const of = (isAddressVerified: boolean | undefined) =>
    Object.values(weighEvidence(known({ isAddressVerified })))
      .flat()
      .join(' ')
  expect(of(true)).toContain('Its address was verified, as its form says.')
  expect(of(false)).toContain('Its address was not verified.')
  expect(of(undefined)).not.toContain('Its address')
})

test('a signal that only a later release knows is told by its name', () => {
  const ofLater = 'same-text' as Signal
  expect(weighEvidence(known({ signals: [ofLater] })).against).toEqual([
    'Same-text: honest people have that, too.',
  ])
})
