import { expect, test } from 'vitest'
import { describeAcceptanceRate, findAcceptanceRate } from './funnel-figures.ts'

test.each([
  [0, 9, 'too few to tell'],
  [0, 10, '0%, between 0% and 28%'],
  [10, 10, '50%, between 29% and 71%'],
  [52, 48, '52%, between 42% and 62%'],
  [10, 0, '100%, between 72% and 100%'],
  // Rounding to the nearest percent would say that every lead is accepted.
  [1000, 0, '100%, between 99% and 100%'],
])('%d accepted and %d rejected leads are %s', (accepted, rejected, text) => {
  expect(describeAcceptanceRate(findAcceptanceRate(accepted, rejected))).toBe(text)
})

test('the interval is Wilson’s', () => {
  // The example of R's binom.confint(15, 50, method = "wilson").
  const { low, high } = findAcceptanceRate(15, 35) ?? { low: 0, high: 0 }
  expect(low).toBeCloseTo(0.191, 3)
  expect(high).toBeCloseTo(0.4375, 3)
})
