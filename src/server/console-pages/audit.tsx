import { Hono } from 'hono'
import { AuditPage, type AuditTarget } from '#console/audit/audit-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { describeRecordedOutcome } from '#domain/job/member-outcome.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { auditActionLabel } from '#domain/operator/audit-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import type { AuditedAct } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import { exportAudit, readAudit, readAuditActors } from '#server/operators/read-audit.ts'
import { type AuditAddress, auditFields, readAuditAddress } from './audit-filter.ts'
import type { ConsoleEnv, ConsoleParts } from './console-env.ts'
import { unknownFilter, wrongFilter } from './leads/lead-notices.ts'
import { readForm } from './read-form.ts'
import { assertStillAllowed, isExportFormat, sendText } from './send-text.ts'

const path = '/audit'
const pageSize = 50

export const audit = (parts: ConsoleParts) => {
  const { store, shellOf } = parts
  const operators = { ...parts.operators, audit: store.forConsole.audit }
  return new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const actor = c.get('actor')
      const address = readAuditAddress(c.req.query())
      const { before } = c.req.query()
      const who = await readAuditActors(operators, actor)
      const problem = problemOf(address, before)
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
            action: auditActionLabel(entry.action),
            target: targetOf(entry),
            result: entry.outcome === null ? undefined : describeRecordedOutcome(entry.outcome),
          }))}
          fields={auditFields(address, who)}
          isFiltered={address.query !== ''}
          problem={problem}
          older={last && addressOf(address.query, last.id)}
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
      const address = readAuditAddress(Object.fromEntries(new URLSearchParams(query)))
      const isValid = !lacks('query') && problemOf(address, undefined) === undefined
      authorise(c.get('actor'), 'export the audit', operators.clock())
      if (!isValid || !isExportFormat(format)) throw new InvalidFilterError()
      const order = { filter: address.filter, format, subject: address.query }
      const text = await exportAudit(operators, c.get('actor'), order)
      return sendText(c, text, { name: 'audit', format, at: operators.clock() }, () =>
        assertStillAllowed(parts, c, 'export the audit'),
      )
    })
}

/** Reads the target of an audit entry: lead or operator, several leads, or text such as a filter. */
function targetOf({ subject, toWhom }: AuditedAct): AuditTarget | undefined {
  if (subject === null || subject === '') return undefined
  if (isLeadId(subject)) return { id: subject, email: toWhom }
  const ids = subject.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { leads: ids } : subject
}

function problemOf(
  { faults, unknownName }: AuditAddress,
  before: string | undefined,
): Message | undefined {
  if (unknownName !== undefined) return unknownFilter(unknownName)
  if (Object.keys(faults).length > 0) return wrongFilter(faults)
  return before === undefined || isLeadId(before) ? undefined : noSuchPage
}

const noSuchPage: Message = {
  kind: 'problem',
  heading: 'This address isn’t a page of the audit log',
  text: 'Nothing was listed.',
}

const addressOf = (query: string, before?: string): string => {
  const parts = [query, before === undefined ? '' : `before=${before}`].filter(
    (part) => part !== '',
  )
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
