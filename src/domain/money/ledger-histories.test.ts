import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  findEntries,
  histories,
  historyMonths,
  type ModelResult,
  playHistory,
  sumEntries,
} from '#tests/store/money-history.ts'

/** What the company owes for the leads that it keeps, however the history got there. */
function oweFor({ entries }: ModelResult): number {
  const returned = new Set(
    entries.filter(({ kind }) => kind === 'returned').map(({ lead }) => lead),
  )
  return entries
    .filter(({ kind, lead }) => kind === 'accepted' && !returned.has(lead))
    .reduce((sum, { payout }) => sum + (payout ?? 0), 0)
}

test('in 10,000 histories, the statements add up to what is owed for the kept leads', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const result = playHistory(history)
      const statements = historyMonths.map((month) => sumEntries(findEntries(result, month)))
      // What came after the last month was closed waits for a month that the histories leave out.
      const listed = new Set(historyMonths.flatMap((month) => findEntries(result, month)))
      const later = result.entries.filter((entry) => !listed.has(entry))
      const owed = [...statements, sumEntries(later)].reduce((sum, one) => sum + one.owedCents, 0)
      expect(owed).toBe(oweFor(result))
      expect(historyMonths.flatMap((month) => findEntries(result, month))).toHaveLength(listed.size)
    }),
    { numRuns: 10_000 },
  )
})

test('in 10,000 histories, a closed statement stays as it is, whatever comes later', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, cut) => {
      const before = playHistory(history.slice(0, cut % (history.length + 1)))
      const after = playHistory(history)
      for (const [month, entries] of before.closed) {
        expect(after.closed.get(month)).toEqual(entries)
      }
    }),
    { numRuns: 10_000 },
  )
})
