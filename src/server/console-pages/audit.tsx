import { Hono } from 'hono'
import { AuditPage, type AuditTarget } from '#console/audit/audit-page.tsx'
import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { isLeadId, leadIdPattern } from '#domain/lead/lead.ts'
import { auditActions, describeAuditAction } from '#domain/operator/audit-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import type { AuditFilter, AuditRecord } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import {
  type AuditActors,
  exportAudit,
  readAudit,
  readAuditActors,
} from '#server/operators/read-audit.ts'
import type { ConsoleEnv, ConsoleServices } from './console-env.ts'
import { findFilterProblem, readFilterFields } from './read-filter.ts'
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
      const { before, ...queries } = c.req.query()
      const address = parseAuditUrl(queries)
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
          exportQuery={
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

const findUrlProblem = (address: ParsedAuditUrl, before: string | undefined) =>
  findFilterProblem(address) ?? (before === undefined || isLeadId(before) ? undefined : noSuchPage)

const noSuchPage: Message = {
  kind: 'problem',
  heading: 'This address isn’t a page of the audit log',
  text: 'Nothing was listed.',
}

const makeAuditUrl = (query: string, before: string): string =>
  `${path}?${[query, `before=${before}`].filter((part) => part !== '').join('&')}`

const filterNames = ['action', 'who', 'subject', 'from', 'to'] as const

type FilterName = (typeof filterNames)[number]

/** The URL names operators by id, because an email address is personal data, and command-line users by this prefix. */
const userPrefix = 'user:'

/** Reads the audit filter from a URL's query, valid or not. Empty fields don't filter. */
function parseAuditUrl(queries: Readonly<Record<string, string>>) {
  const { given, ...read } = readFilterFields(filterNames, queries)
  const subject = given.subject.toLowerCase()
  const filter: AuditFilter = {
    action: auditActions.find((action) => action === given.action),
    operatorId: isLeadId(given.who) ? given.who : undefined,
    user: given.who.startsWith(userPrefix) ? given.who.slice(userPrefix.length) : undefined,
    // Other text may be a person's email address or phone number, which must not be in a URL.
    subject: isLeadId(subject) ? subject : undefined,
    since: parseRangeStart(given.from),
    until: parseRangeEnd(given.to),
  }
  const values = {
    action: filter.action,
    who: filter.operatorId ?? filter.user,
    subject: filter.subject,
    from: filter.since,
    to: filter.until,
  }
  const invalid = filterNames.filter((name) => given[name] !== '' && values[name] === undefined)
  const faults: Partial<Record<FilterName, string>> = Object.fromEntries(
    invalid.map((name) => [name, faultOf[name](given[name])]),
  )
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'Choose a day on or after the first day.'
  }
  return { ...read, filter, given, faults }
}

type ParsedAuditUrl = ReturnType<typeof parseAuditUrl>

const faultOf: Readonly<Record<FilterName, (text: string) => string>> = {
  action: (text) => `There is no action “${text}”.`,
  who: () => 'Choose an operator or a user from the list.',
  subject: () =>
    'Enter a reference of 36 characters, such as 019bc0de-0000-7000-8000-000000000001.',
  from: makeInvalidDayMessage,
  to: makeInvalidDayMessage,
}

/** The browser checks the pattern, too, so that personal data typed by mistake doesn't reach the URL. */
const reference = {
  pattern: leadIdPattern,
  description:
    'A reference: 36 digits, letters and hyphens. Search for a person on the Leads page.',
}

function makeAuditFields({ given, faults }: ParsedAuditUrl, { operators, users }: AuditActors) {
  const who = [
    ...operators.map(({ id, email }) => ({ value: id, label: email })),
    ...users.map((user) => ({ value: userPrefix + user, label: `${user}, on the command line` })),
  ]
  const fields: Readonly<
    Record<FilterName, Pick<FilterFieldProps, 'label' | 'options' | 'type' | 'only'>>
  > = {
    action: {
      label: 'Action',
      options: auditActions.map((value) => ({ value, label: describeAuditAction(value) })),
    },
    who: {
      label: 'Actor',
      options:
        given.who === '' || who.some(({ value }) => value === given.who)
          ? who
          : [...who, { value: given.who, label: given.who }],
    },
    subject: { label: 'Target (a reference)', only: reference },
    from: { label: 'From', type: 'date' },
    to: { label: 'To', type: 'date' },
  }
  return filterNames.map((name) => ({
    name,
    ...fields[name],
    value: given[name],
    problem: faults[name],
  }))
}
