import { expect, test } from 'vitest'
import type { ListedLeads } from '#server/leads/list-leads.ts'
import { toLeadList } from './show-leads.tsx'

const nobody: ListedLeads = {
  leads: [],
  next: undefined,
  searchedUntil: undefined,
  matches: { count: 0, isAll: true },
  people: undefined,
  searchTerm: undefined,
}
const shown = (found: Partial<ListedLeads>, query = '') =>
  toLeadList({ ...nobody, ...found }, { query }, false)

test('an empty list without a filter says that there are no leads yet', () => {
  expect(shown({}).isUnfiltered).toBe(true)
  expect(shown({}, 'status=dead').isUnfiltered).toBe(false)
})
