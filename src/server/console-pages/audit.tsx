import { Hono } from 'hono'
import { AuditPage, type AuditTarget } from '#console/audit/audit-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { describeAuditAction } from '#domain/operator/audit-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import type { AuditRecord } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import { exportAudit, readAudit, readAuditActors } from '#server/operators/read-audit.ts'
import { makeAuditFields, type ParsedAuditUrl, parseAuditUrl } from './audit-filter.ts'
import type { ConsoleEnv, ConsoleServices } from './console-env.ts'
import { makeInvalidFilterNotice, makeUnknownFilterNotice } from './leads/lead-notices.ts'
import { readForm } from './read-form.ts'
import { assertStillAllowed, isExportFormat, streamTextFile } from './stream-text-file.ts'

const path = '/audit'
const pageSize = 50

export const auditRoutes = (parts: ConsoleServices) => {
  const { store, shellOf } = parts
  const operators = { ...parts.operators, audit: store.forConsole.audit }
  return new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const actor = c.get('actor')
      const address = parseAuditUrl(c.req.query())
      const { before } = c.req.query()
      const who = await readAuditActors(operators, actor)
      const problem = findUrlProblem(address, before)
      // The query asks for one extra row, which shows whether there is a next page.
      const query = { ...address.filter, before, take: pageSize + 1 }
      const entries = problem === undefined ? await readAudit(operators, actor, query) : undefined
      const shown = entries?.slice(0, pageSize)
      const last = entries && entries.length > pageSize ? shown?.at(-1) : undefined
      const page = (
        <AuditPage
          shell={shellOf(c)}
          entries={shown?.map((entry) => ({
            ...entry,
            action: describeAuditAction(entry.action),
            target: toAuditTarget(entry),
            result: entry.outcome === null ? undefined : describeAuditedOutcome(entry.outcome),
          }))}
          fields={makeAuditFields(address, who)}
          isFiltered={address.query !== ''}
          problem={problem}
          older={last && makeAuditUrl(address.query, last.id)}
          exporting={
            shown && shown.length > 0 && isAllowed(actor.role, 'export the audit')
              ? address.query
              : undefined
          }
        />
      )
      return c.html(renderHtml(page), problem === undefined ? 200 : 400)
    })
    .post(`${path}/export`, async (c) => {
      const { query, format, lacks } = await readForm(c, 'query', 'format')
      const address = parseAuditUrl(Object.fromEntries(new URLSearchParams(query)))
      const isValid = !lacks('query') && findUrlProblem(address, undefined) === undefined
      authorize(c.get('actor'), 'export the audit', operators.clock())
      if (!isValid || !isExportFormat(format)) throw new InvalidFilterError()
      const order = { filter: address.filter, format, subject: address.query }
      const text = await exportAudit(operators, c.get('actor'), order)
      return streamTextFile(c, text, { name: 'audit', format, at: operators.clock() }, () =>
        assertStillAllowed(parts, c, 'export the audit'),
      )
    })
}

/** Reads the target of an audit entry: lead or operator, several leads, or text such as a filter. */
function toAuditTarget({ subject, toWhom }: AuditRecord): AuditTarget | undefined {
  if (subject === null || subject === '') return undefined
  if (isLeadId(subject)) return { id: subject, email: toWhom }
  const ids = subject.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { leads: ids } : subject
}

function findUrlProblem(
  { faults, unknownName }: ParsedAuditUrl,
  before: string | undefined,
): Message | undefined {
  if (unknownName !== undefined) return makeUnknownFilterNotice(unknownName)
  if (Object.keys(faults).length > 0) return makeInvalidFilterNotice(faults)
  return before === undefined || isLeadId(before) ? undefined : noSuchPage
}

const noSuchPage: Message = {
  kind: 'problem',
  heading: 'This address isn’t a page of the audit log',
  text: 'Nothing was listed.',
}

const makeAuditUrl = (query: string, before?: string): string => {
  const parts = [query, before === undefined ? '' : `before=${before}`].filter(
    (part) => part !== '',
  )
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
