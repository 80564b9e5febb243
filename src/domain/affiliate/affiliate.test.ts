import { expect, test } from 'vitest'
import {
  describeAffiliateId,
  findAffiliateConflicts,
  parseAffiliateForm,
  toAffiliateFormValues,
} from './affiliate.ts'

const typed = {
  name: ' Acme ',
  ids: 'a7\r\n\n A7 ',
  notes: '',
  payout: '$12.5',
  postback: '',
}

test('reads ids by line and dollars as cents, and writes them again', () => {
  const { details, errors } = parseAffiliateForm(typed)
  expect(errors).toEqual({})
  expect(details).toEqual({
    ...{ name: 'Acme', ids: ['a7', 'A7'], notes: '', payoutCents: 1250, postbackUrl: null },
  })
  expect(parseAffiliateForm(toAffiliateFormValues(details)).details).toEqual(details)
  const grouped = parseAffiliateForm({ ...typed, payout: '1,250.00' })
  expect(grouped.details.payoutCents).toBe(125_000)
})

test('an id is shown with its affiliate’s name, once', () => {
  expect(describeAffiliateId('a7', 'Acme')).toBe('Acme (a7)')
  expect(describeAffiliateId('a7', 'a7')).toBe('a7')
  expect(describeAffiliateId('a7', undefined)).toBe('a7')
})

test.each([
  [{ name: ' ' }, 'Enter a name of up to 100 characters.'],
  [{ name: 'x'.repeat(101) }, 'Enter a name of up to 100 characters.'],
  [{ ids: 'a7\na8\na7' }, '“a7” is listed twice.'],
  [
    { ids: Array.from({ length: 21 }, (_, at) => at).join('\n') },
    'List at most 20 ids of at most 200 characters.',
  ],
  [{ ids: 'x'.repeat(201) }, 'List at most 20 ids of at most 200 characters.'],
  [{ payout: '12,50' }, 'Enter US dollars below 100,000, such as 12.50.'],
  [{ payout: '-1' }, 'Enter US dollars below 100,000, such as 12.50.'],
  [{ payout: '100000' }, 'Enter US dollars below 100,000, such as 12.50.'],
  [{ notes: 'x'.repeat(2001) }, 'Use at most 2000 characters.'],
  [{ postback: 'x'.repeat(2001) }, 'Use at most 2000 characters.'],
])('%o is an error at its field', (fields, error) => {
  const { errors } = parseAffiliateForm({ ...typed, ...fields })
  expect(errors).toEqual({ [Object.keys(fields)[0] ?? '']: error })
})

test('a name or id of another affiliate is an error at its field', () => {
  const { details } = parseAffiliateForm(typed)
  const others = [
    { ...details, name: 'Bolt', ids: ['b1'] },
    { ...details, name: 'ACME', ids: [] },
  ]
  expect(findAffiliateConflicts(details, others)).toEqual({
    name: 'There is already an affiliate “ACME”.',
  })
  expect(findAffiliateConflicts({ ...details, name: 'Coil', ids: ['c1', 'B1'] }, others)).toEqual({
    ids: '“B1” already belongs to Bolt.',
  })
  expect(findAffiliateConflicts({ ...details, name: 'Coil', ids: ['c1'] }, others)).toEqual({})
})
