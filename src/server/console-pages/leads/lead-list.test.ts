import { expect, test } from 'vitest'
import type { BrowsedLeads } from '#server/leads/browse-leads.ts'
import { leadList } from './lead-list.ts'

const nobody: BrowsedLeads = {
  leads: [],
  next: undefined,
  lookedUntil: undefined,
  count: { leads: 0, isAll: true },
}
const shown = (found: Partial<BrowsedLeads>, query = '') =>
  leadList({ ...nobody, ...found }, { address: { query }, isToSettle: false })

test('an empty list without a filter says that there are no leads yet', () => {
  expect(shown({}).isNoneYet).toBe(true)
  expect(shown({}, 'status=dead').isNoneYet).toBe(false)
})
