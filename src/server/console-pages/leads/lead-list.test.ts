import { expect, test } from 'vitest'
import type { BrowsedLeads } from '#server/leads/list/browse-leads.ts'
import { leadList } from './lead-list.ts'

const nobody: BrowsedLeads = {
  leads: [],
  next: undefined,
  lookedUntil: undefined,
  count: { leads: 0, isAll: true },
  behind: undefined,
  unsearched: undefined,
}
const shown = (found: Partial<BrowsedLeads>, query = '') =>
  leadList(
    { ...nobody, ...found },
    { address: { query }, isFirst: true, isToSettle: false, findsPeople: true, now: 0 },
  )

test('that no lead has come is said where the list knows of all, and where nothing is left out', () => {
  expect(shown({}).isNoneYet).toBe(true)
  expect(shown({}, 'status=dead').isNoneYet).toBe(false)
  const behind = { since: 0, changes: 3, isAll: true }
  expect(shown({ behind })).toMatchObject({
    isNoneYet: false,
    empty: expect.stringContaining('being brought up to date'),
  })
})
