import { expect, test } from 'vitest'
import { type LeadLedger, makeLeadLedger } from './lead-ledger.ts'

/** @returns how often the lead has arrived, from 1 */
function receive(ledger: LeadLedger, key: string | undefined, raw = '{}'): number {
  let arrival = 0
  ledger.receive(
    { headers: key === undefined ? {} : { 'idempotency-key': key }, raw },
    (attempt) => {
      arrival = attempt
      return { fault: null, status: 200, body: '' }
    },
  )
  return arrival
}

test('keeps the order, and counts each lead', () => {
  const ledger = makeLeadLedger()
  expect(['a', 'b', 'a'].map((key) => receive(ledger, key))).toEqual([1, 1, 2])
  expect(ledger.entries()).toMatchObject([
    { number: 1, idempotencyKey: 'a', attempt: 1, countForLead: 2 },
    { number: 2, idempotencyKey: 'b', attempt: 1, countForLead: 1 },
    { number: 3, idempotencyKey: 'a', attempt: 2, countForLead: 2 },
  ])
})

test('without a key the same bytes are the same lead', () => {
  const ledger = makeLeadLedger()
  receive(ledger, undefined, 'x')
  expect(receive(ledger, undefined, 'x')).toBe(2)
  expect(receive(ledger, undefined, 'y')).toBe(1)
  expect(ledger.entries()[0]?.idempotencyKey).toBeNull()
})

test('keeps the last entries up to its limit', () => {
  const ledger = makeLeadLedger(10)
  for (let index = 0; index < 25; index += 1) receive(ledger, `key-${index % 24}`)
  const numbers = ledger.entries().map(({ number }) => number)
  expect(numbers).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
  expect(ledger.entries(2).map(({ number }) => number)).toEqual([24, 25])
})

test('starts again when cleared', () => {
  const ledger = makeLeadLedger()
  receive(ledger, 'a')
  ledger.clear()
  expect(ledger.entries()).toEqual([])
  receive(ledger, 'a')
  expect(ledger.entries()).toMatchObject([{ number: 1, attempt: 1, countForLead: 1 }])
})
