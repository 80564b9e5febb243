import { expect, test } from 'vitest'
import { computeFromClaims } from './claim-arithmetic.ts'

const claimsOf = (tuition: string, increase: string) => ({
  tuition: { figure: tuition },
  'salary-increase': { figure: increase },
})

const ownClaims = claimsOf('$8,010', '$22,200')

test.each([
  ['$8,010', '$670'],
  ['$12,345', '$1,030'],
  ['$8010.50', '$670'],
  ['$1,200', '$100'],
  ['$1,000', '$83'],
  ['$240000', '$20,000'],
])('a tuition of %s per year is some %s a month', (tuition, month) => {
  expect(computeFromClaims('tuition-per-month', claimsOf(tuition, ''))).toEqual({ text: month })
})

test.each([
  ['$22,200', 'more than two and a half'],
  ['$22,000', 'more than two and a half'],
  ['$24,029', 'more than two and a half'],
  ['$24,030', 'three'],
  ['$20,025', 'two and a half'],
  ['$8,010', 'a year'],
  ['$8,011', 'more than a year'],
  ['$12,345', 'more than one and a half'],
  ['$4,005', 'half a year'],
  ['$5,000', 'more than half a year'],
  ['$4,004', 'less than half a year'],
  ['$80,100', '10'],
  ['$999,999', 'more than 124 and a half'],
])('a raise of %s is %s years of tuition', (increase, years) => {
  const phrase = years.endsWith('a year') ? years : `${years} years`
  expect(computeFromClaims('years-of-tuition', claimsOf('$8,010', increase))).toEqual({
    text: `${phrase} of tuition`,
  })
})

test.each(['from $8,000', '$8k', '€8,010', '$8,01', '8,010', '$0', '99%', '$8,010/yr'])(
  'the figure %s is not an amount to compute with',
  (tuition) => {
    expect(computeFromClaims('tuition-per-month', claimsOf(tuition, ''))).toEqual({
      fault: `is computed from the claim tuition, whose figure “${tuition}” is not an amount such as $8,010`,
    })
  },
)

test('the fault of a missing claim names the claim', () => {
  const { tuition } = ownClaims
  expect(computeFromClaims('years-of-tuition', { tuition })).toEqual({
    fault: 'is computed from the claim salary-increase, which is missing',
  })
})
