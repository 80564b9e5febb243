import { describe, expect, test } from 'vitest'
import { type CapFormValues, describeLimits, parseCapForm } from './cap.ts'

const programs = [12]

const empty: CapFormValues = {
  program: '',
  affiliate: '',
  state: '',
  maxLeads: '',
  period: 'day',
  opensAt: '',
  closesAt: '',
  blockedStates: '',
  followsDistributor: '',
}

test('a form becomes a cap, which says what it limits', () => {
  const typed = {
    ...{ program: '12', affiliate: '', state: 'texas', maxLeads: '100', period: 'month' },
    ...{ opensAt: '8:00', closesAt: '18:30', blockedStates: 'ca; Nevada, CA' },
    followsDistributor: 'on',
  }
  const { cap, faults } = parseCapForm(typed, programs)
  expect(faults).toEqual({})
  expect(cap).toMatchObject({ program: 12, state: 'TX', affiliateId: null, maxLeads: 100 })
  expect(describeLimits(cap)).toBe(
    '100 leads a month, from 08:00 to 18:30, not in CA, NV, the distributor’s monthly cap',
  )
})

describe.each<[keyof CapFormValues, string]>([
  ['maxLeads', '1.5'],
  ['maxLeads', '-1'],
  ['maxLeads', '1000001'],
  ['program', '13'],
  ['state', 'Texas, California'],
  ['opensAt', '24:00'],
  ['closesAt', '8am'],
  ['blockedStates', 'CA, XX'],
  ['period', 'week'],
])('%s “%s”', (field, text) => {
  test('gets an error at its field', () => {
    const typed = { ...empty, maxLeads: '1', opensAt: '1:00', closesAt: '2:00', [field]: text }
    const { faults } = parseCapForm(typed, programs)
    expect(Object.keys(faults)).toEqual([field])
  })
})

test('hours need a beginning and an end, which differ', () => {
  const faultsOf = (opensAt: string, closesAt: string) =>
    Object.keys(parseCapForm({ ...empty, opensAt, closesAt }, programs).faults)
  expect(faultsOf('08:00', '')).toEqual(['closesAt'])
  expect(faultsOf('', '08:00')).toEqual(['opensAt'])
  expect(faultsOf('08:00', '8:00')).toEqual(['closesAt'])
  expect(faultsOf('22:00', '06:00')).toEqual([])
})

test('a cap that limits nothing gets an error', () => {
  expect(Object.keys(parseCapForm(empty, programs).faults)).toEqual(['maxLeads'])
  expect(parseCapForm({ ...empty, maxLeads: '0' }, programs).faults).toEqual({})
})
