import { Hono } from 'hono'
import { JobLeadsPage } from '#console/jobs/job-leads-page.tsx'
import { html } from '#console/render.ts'
import { isMemberOutcome } from '#domain/job/member-outcome.ts'
import { shownStatus } from '#domain/lead/lead-status.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import type { ConsoleEnv } from '../console-env.ts'
import { jobPath } from './job-path.ts'
import type { JobsPorts } from './jobs-ports.ts'
import { unknownJob } from './unknown-job.tsx'

const pageSize = 50

/** The leads of a job that came to the same. */
export const jobLeads = ({ shellOf, manageJobs, archive, clock }: JobsPorts) => {
  const unknown = unknownJob(shellOf)
  return new Hono<ConsoleEnv>().get('/jobs/:id/leads', async (c) => {
    const id = c.req.param('id')
    const { outcome = '', after = '0' } = c.req.query()
    const job = await manageJobs.find(c.get('actor'), id)
    if (job === undefined || !isMemberOutcome(outcome) || !/^\d{1,9}$/.test(after)) {
      return unknown(c)
    }
    const query = { outcome, after: Number(after), take: pageSize + 1 }
    const found = await manageJobs.members(c.get('actor'), id, query)
    const shown = found.slice(0, pageSize)
    const ids = shown.map(({ leadId }) => leadId)
    const leads =
      ids.length === 0 ? [] : await archive.list({ ids, now: clock(), take: ids.length })
    const leadOf = new Map(leads.map((lead) => [lead.id, lead]))
    const mayReveal = isAllowed(c.get('actor').role, 'reveal a lead')
    const statusOf = (leadId: string) => {
      const status = leadOf.get(leadId)?.status
      return status === undefined ? null : shownStatus(status, mayReveal)
    }
    const page = (
      <JobLeadsPage
        shell={shellOf(c)}
        jobId={id}
        outcome={outcome}
        rows={shown.map(({ leadId, detail }) => ({
          id: leadId,
          receivedAt: leadOf.get(leadId)?.receivedAt ?? null,
          status: statusOf(leadId),
          // Only a failure's code: else it names the lead that counts in this one's place.
          detail: mayReveal || outcome === 'failed' ? detail : null,
        }))}
        next={
          found.length > pageSize
            ? `${jobPath(id)}/leads?outcome=${encodeURIComponent(outcome)}&after=${shown.at(-1)?.position}`
            : undefined
        }
      />
    )
    return c.html(html(page))
  })
}
