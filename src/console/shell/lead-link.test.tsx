import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JobLeadsPage } from '#console/jobs/jobs-page.tsx'
import { LeadTable } from '#console/leads/lead-table.tsx'
import { listedLead } from '#tests/console/listed-lead.ts'

const lists: readonly (readonly [string, ReactNode, string])[] = [
  ['the leads', <LeadTable key="" rows={[listedLead]} empty="" />, ', Z. Ø.'],
  [
    'a job’s leads',
    <JobLeadsPage
      key=""
      jobId=""
      outcome="due"
      rows={[{ ...listedLead, detail: null }]}
      next={undefined}
    />,
    '',
  ],
]

test.each(lists)('%s: each lead has one link, with its time of receipt', (_, list, initials) => {
  const links = renderToStaticMarkup(list).match(/<a href="\/leads\/019[^>]*>.*?<\/a>/g) ?? []
  expect(links.map((link) => link.replace(/<[^>]*>/g, ''))).toEqual([
    `Nov 22, 2026, 4:12 AM${initials}`,
  ])
})
