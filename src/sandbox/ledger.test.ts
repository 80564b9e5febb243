import { expect, test } from 'vitest'
import { makeLedger } from './ledger.ts'

const arrival = (key: string, raw = '{}') => ({ headers: { 'idempotency-key': key }, raw })

test('keeps the order, and counts each lead', () => {
  const ledger = makeLedger()
  expect(['a', 'b', 'a'].map((key) => ledger.receive(arrival(key)).attempt)).toEqual([1, 1, 2])
  expect(ledger.entries()).toMatchObject([
    { number: 1, idempotencyKey: 'a', attempt: 1, countForLead: 2 },
    { number: 2, idempotencyKey: 'b', attempt: 1, countForLead: 1 },
    { number: 3, idempotencyKey: 'a', attempt: 2, countForLead: 2 },
  ])
})

test('without a key the same bytes are the same lead', () => {
  const ledger = makeLedger()
  ledger.receive({ headers: {}, raw: 'x' })
  expect(ledger.receive({ headers: {}, raw: 'x' }).attempt).toBe(2)
  expect(ledger.receive({ headers: {}, raw: 'y' }).attempt).toBe(1)
  expect(ledger.entries()[0]?.idempotencyKey).toBeNull()
})

test('shows the last entries up to its limit, and forgets the counts of the others', () => {
  const ledger = makeLedger({ mostEntries: 10 })
  for (let index = 0; index < 25; index += 1) ledger.receive(arrival(`key-${index % 24}`))
  const numbers = ledger.entries().map(({ number }) => number)
  expect(numbers).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
  expect(ledger.entries().at(-1)).toMatchObject({ idempotencyKey: 'key-0', countForLead: 1 })
})

test('keeps no more text than its limit', () => {
  const ledger = makeLedger({ mostCharacters: 1000 })
  for (let index = 0; index < 30; index += 1) ledger.receive(arrival('a', 'x'.repeat(100)))
  const [oldest] = ledger.entries()
  expect(ledger.entries().length).toBeLessThanOrEqual(11)
  expect(oldest?.countForLead).toBe(ledger.entries().length)
})

test('gives the newest first, and counts arrivals and leads', () => {
  const ledger = makeLedger()
  for (const key of ['a', 'b', 'a', 'c']) ledger.receive(arrival(key))
  expect(ledger.latest(2).map(({ number }) => number)).toEqual([4, 3])
  expect(ledger.counts()).toEqual({ arrivals: 4, leads: 3 })
})

test('tells of every change', () => {
  let changes = 0
  const ledger = makeLedger({ onChange: () => changes++ })
  ledger.receive(arrival('a')).answered({ fault: null, askedBy: null, status: 200, body: '' })
  ledger.clear()
  expect(changes).toBe(3)
})

test('starts again when cleared', () => {
  const ledger = makeLedger()
  ledger.receive(arrival('a'))
  ledger.clear()
  expect(ledger.entries()).toEqual([])
  ledger.receive(arrival('a'))
  expect(ledger.entries()).toMatchObject([{ number: 1, attempt: 1, countForLead: 1 }])
})
