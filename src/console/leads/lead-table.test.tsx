import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ListedLead } from '#server/leads/list-leads.ts'
import { listedLead } from '#tests/console/listed-lead.ts'
import { LeadTable } from './lead-table.tsx'

const row: ListedLead = { ...listedLead, status: 'rejected', error: 'cap' }

test('shows an error in words, with the code for the filter as its title', () => {
  const shown = renderToStaticMarkup(<LeadTable rows={[row]} empty="" isToSettle={false} />)
  expect(shown).toContain('<span title="cap">monthly cap reached</span>')
})

test('shows a value that all rows share once above the table, and no empty one', () => {
  const rows = [row, { ...row, id: '019ab3f2-0000-7000-8000-00000000d4e2', state: 'NY' }].map(
    (each, index) => ({ ...each, programName: `Program ${index}` }),
  )
  const shown = renderToStaticMarkup(<LeadTable rows={rows} empty="" isToSettle={false} />)
  expect(shown.replaceAll(/<[^>]+>/g, '')).toMatch(
    /^Same in every row: .*, Area business, Attempts 1, Last error monthly cap reachedReceived/,
  )
  expect(shown).toMatch(/<th scope="col" hidden="">Area</)
  expect(shown).toMatch(/<th scope="col">State</)
})
