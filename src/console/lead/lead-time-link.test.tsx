import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JobLeadsPage } from '#console/jobs/job-leads-page.tsx'
import { LeadTable } from '#console/leads/lead-table.tsx'
import { LatestLeads } from '#console/overview/overview-page.tsx'

const row = {
  id: '019ab3f2-0000-7000-8000-00000000d4e1',
  receivedAt: Date.UTC(2026, 10, 22, 4, 12),
  initials: 'Z. Ø.',
  area: 'business',
  program: 'MBA',
  status: 'dead',
  attempts: 1,
  error: null,
  state: null,
  affiliate: null,
  source: null,
  campaign: null,
  isVerified: null,
  remarks: [],
  detail: null,
} as const

const lists: readonly (readonly [string, ReactNode, string])[] = [
  [
    'the leads',
    <LeadTable key="" columns={['reference']} rows={[row]} empty="" isToSettle={false} />,
    ', Z. Ø.',
  ],
  ['the overview’s latest', <LatestLeads key="" rows={[row]} />, ', Z. Ø.'],
  [
    'a job’s leads',
    <JobLeadsPage key="" jobId="" outcome="due" rows={[row]} next={undefined} />,
    '',
  ],
]

test.each(lists)('%s: each lead has one link, with its time of receipt', (_, list, initials) => {
  const links = renderToStaticMarkup(list).match(/<a href="\/leads\/019[^>]*>.*?<\/a>/g) ?? []
  expect(links.map((link) => link.replace(/<[^>]*>/g, ''))).toEqual([
    `Nov 22, 2026, 4:12 AM UTC${initials}`,
  ])
})
