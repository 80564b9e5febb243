import { describe, expect, test } from 'vitest'
import { type CapFormValues, describeLimits, formatWeekdays, parseCapForm } from './cap.ts'

const programs = [12]

const empty: CapFormValues = {
  program: '',
  affiliate: '',
  state: '',
  maxLeads: '',
  period: 'day',
  opensAt: '',
  closesAt: '',
  weekdays: '',
  holidays: '',
  blockedStates: '',
  followsDistributor: '',
}

test('a form becomes a cap, which says what it limits', () => {
  const typed = {
    ...{ program: '12', affiliate: '', state: 'texas', maxLeads: '100', period: 'month' },
    ...{ opensAt: '8:00', closesAt: '18:30', blockedStates: 'ca; Nevada, CA' },
    ...{ weekdays: 'Mon-fri', holidays: '2027-01-01\n12/25/2026, 1/1/2027' },
    followsDistributor: 'on',
  }
  const { cap, faults } = parseCapForm(typed, programs)
  expect(faults).toEqual({})
  expect(cap).toMatchObject({ program: 12, state: 'TX', affiliateId: null, maxLeads: 100 })
  expect(describeLimits(cap)).toBe(
    '100 leads a month, on Mon–Fri, from 08:00 to 18:30, not on 2026-12-25, 2027-01-01, not in CA, NV, the distributor’s monthly cap',
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
  ['weekdays', 'Mon, Funday'],
  ['weekdays', 'Mon–Wed–Fri'],
  ['weekdays', 'T'],
  ['weekdays', 'Mon –'],
  ['holidays', '2026-02-30'],
  ['holidays', '2026-12-25, 26.12.2026'],
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

test.each([
  ['Mon–Fri', 'Mon–Fri'],
  ['sunday; Sa', 'Sat, Sun'],
  ['Fri - Mon', 'Mon, Fri–Sun'],
  ['tue, thurs, tuesday', 'Tue, Thu'],
  ['Mon–Sun', ''],
])('the weekdays “%s” are shown as “%s”', (typed, shown) => {
  const { cap, faults } = parseCapForm({ ...empty, maxLeads: '1', weekdays: typed }, programs)
  expect(faults).toEqual({})
  expect(formatWeekdays(cap.weekdays)).toBe(shown)
})

test('weekdays or days alone are a limit; a wrong day is named', () => {
  expect(parseCapForm({ ...empty, weekdays: 'Mon' }, programs).faults).toEqual({})
  expect(parseCapForm({ ...empty, holidays: '2026-12-25' }, programs).faults).toEqual({})
  const { faults } = parseCapForm({ ...empty, holidays: '2026-12-25 2026-13-01' }, programs)
  expect(faults.holidays).toContain('“2026-13-01”')
  const { faults: typed } = parseCapForm({ ...empty, holidays: 'December 25' }, programs)
  expect(typed.holidays).toBe('“December 25” is not a day: write 2026-12-25 or 12/25/2026.')
  const many = Array.from({ length: 101 }, (_, n) => `${2000 + n}-12-25`).join(' ')
  expect(parseCapForm({ ...empty, holidays: many }, programs).faults.holidays).toContain('100 days')
})

test('a cap that limits nothing gets an error', () => {
  expect(Object.keys(parseCapForm(empty, programs).faults)).toEqual(['maxLeads'])
  expect(parseCapForm({ ...empty, maxLeads: '0' }, programs).faults).toEqual({})
})
